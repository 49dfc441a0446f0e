/**
 * Whether a client address, in its canonical spelling, is in one of the networks. An empty list allows every
 * address.
 */
export function isAllowedFrom(client: string | undefined, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const from = client === undefined ? undefined : readNetwork(client)
  return from !== undefined && networks.some((network) => contains(readNetwork(network), from))
}

/** The bits of a network and how many of them count. Of IPv6 addresses no more than 64 are known. */
type Network = { readonly family: 4 | 6; readonly bits: bigint; readonly length: number }

const WIDTH = { 4: 32, 6: 64 } as const

function contains(network: Network | undefined, { family, bits, length }: Network): boolean {
  if (!network || network.family !== family || network.length > length) return false
  const rest = BigInt(WIDTH[family] - network.length)
  return network.bits >> rest === bits >> rest
}

function readNetwork(text: string): Network | undefined {
  const [address = '', given] = text.split('/')
  const family = address.includes(':') ? 6 : 4
  const bits = family === 6 ? readIpv6(address) : readIpv4(address)
  const length = given === undefined ? WIDTH[family] : Number(given)
  return bits === undefined || !(length >= 0 && length <= WIDTH[family])
    ? undefined
    : { family, bits, length }
}

function readIpv4(address: string): bigint | undefined {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined
  if (parts.some((part) => Number(part) > 255)) return undefined
  return BigInt(`0x${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`)
}

/** The first four of eight groups; `::` stands for as many zeros as are missing. */
function readIpv6(address: string): bigint | undefined {
  const [before = '', after] = address.replace(/[\d.]+\.\d+$/, '0:0').split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const tail = after === undefined ? [] : groups(after)
  const missing = after === undefined ? 0 : 8 - groups(before).length - tail.length
  const all = [...groups(before), ...Array<string>(Math.max(0, missing)).fill('0'), ...tail]
  if (all.length !== 8 || !all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  const known = all.slice(0, 4).map((group) => group.padStart(4, '0'))
  return BigInt(`0x${known.join('')}`)
}
