import { isJsonList, rpcEndpoints } from './rpc-endpoints.ts'

/** A setting without its secrets, for display. */
export type Setting = {
  readonly name: string
  readonly value: string
  readonly source: 'environment' | 'default'
}

const HIDDEN = '***'
/** A comma before a scheme: other commas may be part of a password. */
const BETWEEN_URLS = /,\s*(?=[a-z]+:\/\/)/
/** Scheme, optional login, one or several hosts, rest. */
const PLACE = /^(?<scheme>[a-z+]+:\/\/)(?<login>(?:[^/?#]*@)?)(?<hosts>[^@/?#]+)(?<rest>[^@]*)$/s

/**
 * Hides a secret value entirely, and of a URL everything except scheme and hosts, because any other part may be a
 * key.
 */
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
