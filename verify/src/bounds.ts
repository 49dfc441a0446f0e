import { normalizeSuiAddress } from '@mysten/sui/utils'
import type { Decoded } from './decode.ts'
import type { NetworkPins } from './networks.ts'
import type { Failure } from './refusal.ts'
import type { Wish } from './wish.ts'

/**
 * Checks sender, gas payer, gas, chain and expiry. Fields that the JSON form leaves open are not checked, but
 * reported by `stillOpen`.
 */
export function checkBounds(decoded: Decoded, wish: Wish, { chain }: NetworkPins): readonly Failure[] {
  const { gas, sender } = decoded
  const failures: Failure[] = []
  const fail = (rule: Failure['rule'], expected: string, actual: string) =>
    failures.push({ rule, expected, actual })
  if (sender !== wish.sender) fail('sender', wish.sender, sender ?? 'none')
  if (gas.owner !== null && normalizeSuiAddress(gas.owner) !== wish.gasOwner)
    fail('gas owner', wish.gasOwner, gas.owner)
  if (gas.budget !== null && BigInt(gas.budget) > wish.maxGas)
    fail('gas budget', `at most ${wish.maxGas} MIST`, String(gas.budget))
  const expiry = expiryOf(decoded.expiration)
  if (expiry.chain !== undefined && chain !== undefined && expiry.chain !== chain)
    fail('chain', chain, expiry.chain)
  if (wish.chain !== undefined && chain !== undefined && wish.chain !== chain)
    fail('chain', chain, wish.chain)
  const { expiresEpoch, atEpoch } = wish
  const isOpen = decoded.form === 'json' && decoded.expiration === null
  if (expiresEpoch !== undefined && !isOpen && (expiry.last === undefined || expiry.last > expiresEpoch))
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

function expiryOf(expiration: Decoded['expiration']): {
  readonly last: bigint | undefined
  readonly chain: string | undefined
} {
  if (expiration?.Epoch !== undefined) return { last: BigInt(expiration.Epoch), chain: undefined }
  const during = expiration?.ValidDuring ?? expiration?.Validity
  const last = during?.maxEpoch ?? undefined
  return { last: last === undefined ? undefined : BigInt(last), chain: during?.chain }
}
