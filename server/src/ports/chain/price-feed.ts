export type Price = {
  readonly usd: number
  readonly change24hPercent: number | undefined
  readonly updatedAt: number
}

export type PriceFeed = {
  /** The source shown to users: a host name, or `sandbox`. */
  readonly source: string
  read(deadline: AbortSignal): Promise<Price>
}
