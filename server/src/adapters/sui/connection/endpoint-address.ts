import { decodePercent, type Hide, hiderOf } from '../../../secrets/hide-secrets.ts'
import { secretsOfHeader, secretsOfUrl } from '../../../secrets/secrets-of-url.ts'

/** A full node as it is configured. */
export type ConfiguredEndpoint = {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
}

/** The address of a full node, and the credentials for it. */
export type EndpointAddress = {
  /** In canonical form. The only part of an address that is logged. Addresses with one host count as one source. */
  readonly host: string
  /** Without credentials and query: the client appends the path of the service. */
  readonly baseUrl: string
  /** The query of the configured URL, with its question mark; empty when there is none. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** Replaces every credential of this endpoint in a text, in case the node repeats one in an error. */
  readonly hideSecrets: Hide
}

/** User and password in the URL become a Basic `Authorization` header, because fetch refuses such URLs. */
export function toEndpointAddress({ url: text, headers = {} }: ConfiguredEndpoint): EndpointAddress {
  const url = new URL(text)
  const credentials = [url.username, url.password].map(decodePercent)
  const basic = Buffer.from(credentials.join(':')).toString('base64')
  const sent = { ...(url.username || url.password ? { authorization: `Basic ${basic}` } : {}), ...headers }
  const secrets = [...secretsOfUrl(text), ...Object.values(sent).flatMap(secretsOfHeader)]
  return {
    host: url.host.replace(/\.(?=:|$)/, ''),
    baseUrl: `${url.origin}${url.pathname}`,
    query: url.search,
    headers: sent,
    hideSecrets: hiderOf(secrets),
  }
}
