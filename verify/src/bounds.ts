import { normalizeSuiAddress } from '@mysten/sui/utils'
import type { Decoded } from './decode.ts'
import type { NetworkPins } from './networks.ts'
import type { Failure } from './refusal.ts'
import type { Wish } from './wish.ts'

/**
 * Checks sender, gas payer, gas, chain and expiry. Gas that the JSON form leaves open is not checked, but reported by
 * `stillOpen`.
 */
export function checkBounds(decoded: Decoded, wish: Wish, { chain }: NetworkPins): readonly Failure[] {
  const { gas, sender } = decoded
  const failures: Failure[] = []
  const fail = (rule: Failure['rule'], expected: string, actual: string) =>
    failures.push({ rule, expected, actual })
  if (sender === null || sender !== (wish.sender ?? sender))
    fail('sender', wish.sender ?? 'an address', sender ?? 'none')
  const gasOwner = wish.gasOwner ?? wish.sender ?? sender ?? 'the sender'
  if (gas.owner !== null && normalizeSuiAddress(gas.owner) !== gasOwner)
    fail('gas owner', gasOwner, gas.owner)
  if (gas.budget !== null && BigInt(gas.budget) > wish.maxGas)
    fail('gas budget', `at most ${wish.maxGas} MIST`, String(gas.budget))
  const expiry = expiryOf(decoded.expiration)
  if (expiry.chain !== undefined && chain !== undefined && expiry.chain !== chain)
    fail('chain', chain, expiry.chain)
  if (wish.chain !== undefined && chain !== undefined && wish.chain !== chain)
    fail('chain', chain, wish.chain)
  const { expiresEpoch, atEpoch } = wish
  // The SDK fills in gas, but never an expiry: a transaction without one never expires.
  if (expiresEpoch !== undefined && (expiry.last === undefined || expiry.last > expiresEpoch))
    fail(
      'expiry',
      `epoch ${expiresEpoch} at the latest`,
      expiry.last === undefined ? 'never' : `epoch ${expiry.last}`,
    )
  if (atEpoch !== undefined && expiry.last !== undefined && expiry.last < atEpoch)
    fail('expiry', `not before epoch ${atEpoch}`, `epoch ${expiry.last}`)
  return failures
}

/** The fields that the SDK or a wallet fills in later. The signer must verify the final bytes again. */
export function stillOpen({ form, gas, expiration, inputs, commands }: Decoded): readonly string[] {
  if (form === 'bytes') return []
  return [
    ...(gas.budget === null || gas.price === null || gas.payment === null ? ['gas'] : []),
    ...(expiration === null ? ['expiry'] : []),
    ...(commands.some(({ $kind }) => $kind === '$Intent') ? ['which coins'] : []),
    ...(inputs.some(({ $kind }) => $kind === 'UnresolvedObject') ? ['versions of objects'] : []),
  ]
}

/** Fields that the wish does not bound: any value in the transaction was accepted. */
export const unchecked = ({ sender, expiresEpoch }: Wish): readonly string[] => [
  ...(sender === undefined ? ['sender'] : []),
  ...(expiresEpoch === undefined ? ['expiry'] : []),
]

export function expiryInWords({ form, expiration }: Decoded): string {
  const { first, last } = expiryOf(expiration)
  const from = first === undefined ? '' : ` from the epoch ${first} of the chain on`
  if (last !== undefined) {
    const until = `until the end of the epoch ${last}${first === undefined ? ' of the chain' : ''}`
    return `Once signed, it can be executed${from} ${until}.`
  }
  const ever = `Once signed, it can be executed${from || ' at any time'}, however late: it never expires`
  return form === 'json' && expiration === null ? `${ever} unless an expiry is filled in.` : `${ever}.`
}

function expiryOf(expiration: Decoded['expiration']): {
  /** Undefined: it can be executed at once. */
  readonly first: bigint | undefined
  readonly last: bigint | undefined
  readonly chain: string | undefined
} {
  if (expiration?.Epoch !== undefined)
    return { first: undefined, last: BigInt(expiration.Epoch), chain: undefined }
  const during = expiration?.ValidDuring ?? expiration?.Validity
  const epoch = (given: string | number | null | undefined) => (given == null ? undefined : BigInt(given))
  return { first: epoch(during?.minEpoch), last: epoch(during?.maxEpoch), chain: during?.chain }
}
