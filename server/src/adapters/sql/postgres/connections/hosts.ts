/** Servers of which one is the primary. */
export type PostgresHosts = {
  /** The one that is believed to be. */
  url(): string
  /** This one is not, or cannot be reached: the next connection is to the next one. */
  isNot(url: string): void
  readonly count: number
}

/** After a fail-over the new primary is found by asking one after the other: each connection that fails moves on. */
export function postgresHosts(urls: readonly [string, ...string[]]): PostgresHosts {
  let at = 0
  const url = () => urls[at] ?? urls[0]
  return {
    url,
    isNot(tried) {
      if (tried === url()) at = (at + 1) % urls.length
    },
    count: urls.length,
  }
}
