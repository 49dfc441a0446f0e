import { isJsonList, rpcEndpoints } from './rpc-endpoints.ts'

/** A setting as an operator may see it. */
export type Setting = {
  readonly name: string
  readonly value: string
  readonly source: 'environment' | 'default'
}

const HIDDEN = '***'
/** A comma may also stand inside a password: it ends a URL only where the next one begins. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/
/** One host or several, after name and password. */
const PLACE = /^(?<scheme>[a-z+]+:\/\/)(?<login>(?:[^/?#]*@)?)(?<hosts>[^@/?#]+)(?<rest>[^@]*)$/s

/** What may be shown of a value: nothing of a secret, and of a URL where it leads to. Any other part may be a key. */
export function hideSecrets(text: string, secret: 'whole' | 'url' | undefined): string {
  if (secret === 'whole') return HIDDEN
  if (secret === 'url' && isJsonList(text))
    return (rpcEndpoints.read(text) ?? []).map(({ url }) => hideInUrl(url)).join(',') || HIDDEN
  if (secret === 'url') return text.split(BETWEEN_URLS).map(hideInUrl).join(',')
  return text
}

function hideInUrl(text: string): string {
  // A password that was not escaped may contain an @, so everything before the last @ may belong to it.
  const { scheme, login, hosts, rest } = PLACE.exec(text.trim())?.groups ?? {}
  if (scheme === undefined) return HIDDEN
  return login || (rest && rest !== '/') ? `${scheme}${hosts}/${HIDDEN}` : `${scheme}${hosts}`
}
