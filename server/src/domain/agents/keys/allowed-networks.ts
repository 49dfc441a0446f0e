import type { WrongField } from '../../../fault.ts'

/**
 * Whether a client address, in its canonical spelling, is in one of the networks. An empty list allows every
 * address.
 */
export function isAllowedFrom(client: string | undefined, networks: readonly string[]): boolean {
  if (networks.length === 0) return true
  const from = client === undefined ? undefined : readNetwork(client)
  return from !== undefined && networks.some((network) => contains(readNetwork(network), from))
}

const UNREADABLE = { problem: 'must be a network such as 203.0.113.0/24' }
const ALL = { problem: 'must not allow every address', instead: 'leave the list empty for that' }
const MIXED = { problem: 'must be written as IPv4, such as 203.0.113.0/24: IPv4 clients never count as IPv6' }
const INSIDE = {
  problem: 'must start at the first address of its network, such as 203.0.113.0/24 and not 203.0.113.5/24',
}

/** The problem of a malformed or misleading network; undefined if it is fine. */
export function networkProblem(text: string): Omit<WrongField, 'field'> | undefined {
  if (text.includes(':') && text.includes('.')) return MIXED
  const network = readNetwork(text)
  if (!network) return UNREADABLE
  if (network.length === 0 || text === UNSPECIFIED) return ALL
  const rest = BigInt(WIDTH[network.family] - network.length)
  return (network.bits >> rest) << rest === network.bits ? undefined : INSIDE
}

/** The address that servers bind to in order to listen everywhere; no client has it. */
const UNSPECIFIED = '0.0.0.0'

/** The bits of a network, and the length of its prefix. */
type Network = { readonly family: 4 | 6; readonly bits: bigint; readonly length: number }

const WIDTH = { 4: 32, 6: 128 } as const

function contains(network: Network | undefined, { family, bits, length }: Network): boolean {
  if (!network || network.family !== family || network.length > length) return false
  const rest = BigInt(WIDTH[family] - network.length)
  return network.bits >> rest === bits >> rest
}

function readNetwork(text: string): Network | undefined {
  const [address = '', given, ...more] = text.split('/')
  const family = address.includes(':') ? 6 : 4
  const bits = family === 6 ? readIpv6(address) : readIpv4(address)
  const length = given === undefined ? WIDTH[family] : readLength(given)
  if (bits === undefined || more.length > 0 || !(length <= WIDTH[family])) return undefined
  return { family, bits, length }
}

const readLength = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN)

function readIpv4(address: string): bigint | undefined {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return undefined
  if (parts.some((part) => Number(part) > 255)) return undefined
  return BigInt(`0x${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`)
}

/** Eight groups; `::` stands for as many zeros as are missing. */
function readIpv6(address: string): bigint | undefined {
  const [before = '', after, ...more] = address.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const tail = after === undefined ? [] : groups(after)
  const missing = after === undefined ? 0 : 8 - groups(before).length - tail.length
  const all = [...groups(before), ...Array<string>(Math.max(0, missing)).fill('0'), ...tail]
  if (more.length > 0 || all.length !== 8 || !all.every((group) => /^[0-9a-f]{1,4}$/i.test(group)))
    return undefined
  return BigInt(`0x${all.map((group) => group.padStart(4, '0')).join('')}`)
}
