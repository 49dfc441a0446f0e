import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6, SocketAddress } from 'node:net'

const UNKNOWN = 'unknown'

/**
 * The key by which limits count a client: an IPv4 address, or the /64 network of an IPv6 address, because a customer
 * usually gets a whole /64. The form is canonical: one address has one key.
 *
 * Exactly the last `trustedHops` entries of `X-Forwarded-For` are trusted: each was appended by one of our proxies.
 * Entries further left may be forged and are ignored.
 */
export function clientAddress(
  remoteAddress: string | undefined,
  forwardedFor: readonly string[],
  trustedHops: number,
): string {
  const [first = ''] = forwardedFor
  // Fast path: one proxy that forwards one IPv4 address.
  if (trustedHops > 0 && forwardedFor.length === 1 && isIPv4(first)) return first
  let key = toKey(remoteAddress ?? '') ?? UNKNOWN
  if (trustedHops === 0 || forwardedFor.length === 0) return key
  const hops = forwardedFor.join(',').split(',').slice(-trustedHops)
  for (const hop of hops.reverse()) {
    const next = toKey(withoutPort(hop.trim()))
    // An unreadable address ends the chain of trust: the proxy that sent it counts as the client.
    if (next === undefined) return key
    key = next
  }
  return key
}

/** The client of a request. Repeated header lines are read in the order of arrival. */
export function clientOf({ headers, socket }: IncomingMessage, trustedHops: number): string {
  // Node joins repeated lines of this header by commas, which has the same meaning.
  const forwarded = trustedHops > 0 ? headers['x-forwarded-for'] : undefined
  const known = socket.latestClient
  if (known !== undefined && known.forwarded === forwarded) return known.address
  const forwardedFor = typeof forwarded === 'string' ? [forwarded] : (forwarded ?? [])
  const address = clientAddress(socket.remoteAddress, forwardedFor, trustedHops)
  // Requests on one connection nearly always come from the same client, so the latest one is cached.
  socket.latestClient = { forwarded, address }
  return address
}

function toKey(address: string): string | undefined {
  if (isIPv4(address)) return address
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return undefined
  const { address: canonical } = new SocketAddress({ address: plain, family: 'ipv6' })
  const mapped = canonical.slice('::ffff:'.length)
  if (canonical.startsWith('::ffff:') && isIPv4(mapped)) return mapped
  return `${network(canonical)}::/64`
}

/** The first four of eight groups; `::` stands for the missing zeros. */
function network(canonical: string): string {
  const [before = '', after = ''] = canonical.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after === '' ? [] : after.replace(/[\d.]+\.\d+$/, '0:0').split(':')
  const zeros = Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  return [...head, ...zeros, ...tail].slice(0, 4).join(':')
}

/** Strips the port, brackets and quotes of `1.2.3.4:80`, `[::1]:80`, `"[::1]"` and `[::1]`. */
function withoutPort(text: string): string {
  const bare = text.replace(/^"(.*)"$/, '$1')
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(bare)
  if (bracketed !== null) return bracketed[1] ?? ''
  return bare.replace(/^([\d.]+):\d+$/, '$1')
}
