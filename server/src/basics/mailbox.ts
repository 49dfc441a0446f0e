/** Providers that ignore dots before the @, with the domain under which their addresses count. */
const DOTS_IGNORED: Readonly<Record<string, string>> = {
  'gmail.com': 'gmail.com',
  'googlemail.com': 'gmail.com',
}

/**
 * The mailbox that an address most likely belongs to. Only for limits against abuse: identity and delivery use the
 * address as given, because no standard makes these spellings equal. The address of a wallet, which owns agents
 * without mail, is returned unchanged.
 */
export function canonicalAddress(address: string): string {
  const lower = address.toLowerCase()
  const at = lower.lastIndexOf('@')
  if (at < 0) return lower
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)]
  const tag = local.indexOf('+')
  const untagged = tag > 0 ? local.slice(0, tag) : local
  const provider = DOTS_IGNORED[domain]
  return provider ? `${untagged.replaceAll('.', '')}@${provider}` : `${untagged}@${domain}`
}
