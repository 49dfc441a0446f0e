export type Price = {
  readonly usd: number
  readonly change24hPercent: number | undefined
  readonly updatedAt: number
}

export type PriceFeed = {
  /** Where the price comes from, for the reader: a host name, or `sandbox`. */
  readonly source: string
  read(deadline: AbortSignal): Promise<Price>
}
