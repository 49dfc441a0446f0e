import { canonical, digestOf } from '../canonical.ts'
import { type Fields, toFields } from '../fields.ts'
import { PINS, type PinTable } from '../networks.ts'
import { checkTable } from '../pin-digest.ts'
import type { Failure } from '../refusal.ts'
import { type Verdict, verifyTransaction } from '../verify.ts'
import { checkSignature } from './key-document.ts'

/** The signed intent in an answer with a transaction; other fields are ignored. */
export type SignedIntent = {
  readonly intent: unknown
  readonly intentId: unknown
  readonly intentSignature: unknown
}

export type IntentOptions = {
  /** What the service publishes at /.well-known/stakewright-keys.json, from a source you trust. */
  readonly keys: unknown
  readonly table?: PinTable
  /** The time by which an intent has expired or not, in milliseconds. Left out: now. null: it is not checked. */
  readonly at?: number | null | undefined
}

/**
 * Checks that a transaction does exactly what its intent says, and that the intent is signed with one of the keys.
 * Works offline. Throws `BadWish` for an intent that cannot be parsed.
 */
export async function verifyIntent(
  transaction: unknown,
  signed: SignedIntent,
  options: IntentOptions,
): Promise<Verdict> {
  const verdict = await compareIntent(transaction, signed, options)
  const { intent, intentSignature } = signed
  const { issuedAt } = toFields(intent, 'the intent')
  // A caller without types may leave the options out: then there are no keys.
  const failure = await checkSignature(canonical(intent), intentSignature, issuedAt, options?.keys)
  return failure === undefined ? verdict : { ...verdict, ok: false, failures: [failure, ...verdict.failures] }
}

/**
 * The same without the signature: whoever changes the transaction can change the intent with it, so this only shows that
 * the two agree. Give a wish of your own as well.
 */
export async function compareIntent(
  transaction: unknown,
  { intent, intentId }: Omit<SignedIntent, 'intentSignature'>,
  options: Omit<IntentOptions, 'keys'> = {},
): Promise<Verdict> {
  const { table = PINS, at = Date.now() } = options
  await checkTable(table)
  const fields = toFields(intent, 'the intent')
  const verdict = verifyTransaction(transaction, intent, { table })
  const id = await digestOf(intent)
  const failures = [
    ...(id === intentId
      ? []
      : [{ rule: 'intent id', expected: id, actual: String(intentId).slice(0, 64) } as const]),
    checkLifetime(fields, at),
    at === null ? undefined : intentExpiry(intent, at),
    ...verdict.failures,
  ].filter((failure): failure is Failure => failure !== undefined)
  return { ...verdict, ok: failures.length === 0, failures }
}

/** No service signs an intent for longer. So what a retired key signs is refused soon after the key's end, whatever date it has. */
export const LONGEST_LIFETIME_MS = 600_000
/** How far clocks may differ. */
const CLOCK_TOLERANCE_MS = 300_000

/** Why an intent cannot have been issued when it says, for as long as it says; undefined: it can. */
function checkLifetime({ issuedAt, expiresAt }: Fields, at: number | null): Failure | undefined {
  const [from, until] = [issuedAt, expiresAt].map((time) => Date.parse(String(time)))
  const actual = `issued at ${String(issuedAt).slice(0, 64)}, until ${String(expiresAt).slice(0, 64)}`
  if (from === undefined || until === undefined || !(until - from <= LONGEST_LIFETIME_MS))
    return {
      rule: 'expiry',
      expected: `at most ${LONGEST_LIFETIME_MS / 60_000} minutes after it was issued`,
      actual,
    }
  if (at === null || from <= at + CLOCK_TOLERANCE_MS) return undefined
  return { rule: 'expiry', expected: 'an intent that was issued before now', actual }
}

/**
 * Why an intent has expired at a time in milliseconds; undefined if it has not. An intent without expiry counts as
 * expired.
 */
export function intentExpiry(intent: unknown, at: number): Failure | undefined {
  const { expiresAt } = toFields(intent, 'the intent')
  if (typeof expiresAt === 'string' && at <= Date.parse(expiresAt)) return undefined
  const actual = Number.isFinite(at) ? new Date(at).toISOString() : 'later'
  return { rule: 'expiry', expected: `not after ${String(expiresAt).slice(0, 64)}`, actual }
}
