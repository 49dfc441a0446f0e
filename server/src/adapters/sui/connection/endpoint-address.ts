/** A full node as it is configured. */
export type ConfiguredEndpoint = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Where a full node is reached, and with which credentials. */
export type EndpointAddress = {
  /** The only part of an address that is logged. */
  readonly host: string
  /** Without credentials and query: the client appends the path of the service. */
  readonly baseUrl: string
  /** The query of the configured URL, with its question mark; empty when there is none. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Replaces every credential of this endpoint in a text, in case the node repeats one in an error. */
  hideSecrets(text: string): string
}

/** Shorter values, such as a version in the path, are no credentials; hiding them would garble messages. */
const SHORTEST_SECRET = 6

/** A name and password in the URL are sent as Basic authentication: fetch itself refuses such a URL. */
export function toEndpointAddress({ url: text, headers = {} }: ConfiguredEndpoint): EndpointAddress {
  const url = new URL(text)
  const credentials = [url.username, url.password].map(decodePercent)
  const basic = Buffer.from(credentials.join(':')).toString('base64')
  const sent = { ...(url.username || url.password ? { authorization: `Basic ${basic}` } : {}), ...headers }
  const secrets = [
    ...credentials,
    url.username,
    url.password,
    ...url.searchParams.values(),
    ...url.search.split(/[?&=]/),
    ...url.pathname.split('/'),
    ...Object.values(sent).flatMap((value) => [value, ...value.split(' ')]),
  ]
  return {
    host: url.host,
    baseUrl: `${url.origin}${url.pathname}`,
    query: url.search,
    headers: sent,
    hideSecrets: hiderOf(secrets),
  }
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function hiderOf(secrets: readonly string[]): (text: string) => string {
  const longestFirst = [...new Set(secrets)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
  return (text) => longestFirst.reduce((hidden, secret) => hidden.replaceAll(secret, '***'), text)
}
