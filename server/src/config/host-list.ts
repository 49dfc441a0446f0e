import type { Value } from './values.ts'

const PARTS = /^(?<scheme>[a-z+]+:\/\/)(?<user>(?:[^@/?#]*@)?)(?<hosts>[^/?#]*)(?<rest>.*)$/s

/**
 * Reads a URL with one or several hosts, in libpq's form: `postgres://user@one:5432,two:5432/name`. Returns one URL per
 * host.
 */
export function hostList(...schemes: readonly string[]): Value<readonly [string, ...string[]]> {
  const starts = schemes.map((scheme) => `${scheme}://`)
  return {
    expected: `a URL that starts with ${starts.join(' or ')}; several hosts are separated by commas`,
    read(text) {
      const { scheme = '', user = '', hosts = '', rest = '' } = PARTS.exec(text)?.groups ?? {}
      if (!starts.includes(scheme)) return undefined
      const [first = '', ...others] = hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`)
      return [first, ...others].every((url) => URL.canParse(url)) ? [first, ...others] : undefined
    },
  }
}
