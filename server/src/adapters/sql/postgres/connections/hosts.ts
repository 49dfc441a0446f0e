/** A primary and its standbys, by URL. */
export type PostgresHosts = {
  /** The presumed primary. */
  url(): string
  /** Reports that this host is unreachable or a standby: the next connection goes to the next host. */
  markFailed(url: string): void
  readonly count: number
}

/** Finds the new primary after a fail-over by trying the hosts in turn: every failed connection moves on. */
export function postgresHosts(urls: readonly [string, ...string[]]): PostgresHosts {
  let at = 0
  const url = () => urls[at] ?? urls[0]
  return {
    url,
    markFailed(tried) {
      if (tried === url()) at = (at + 1) % urls.length
    },
    count: urls.length,
  }
}
