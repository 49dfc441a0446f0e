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
  /** The time of signing, as a `Date` or in milliseconds since 1970. Left out: now. null: expiry is not checked. */
  readonly at?: Date | number | null | undefined
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
  // JavaScript callers may leave out the options: without keys, `checkSignature` throws `BadKeys`.
  const failure = await checkSignature(canonical(intent), intentSignature, issuedAt, options?.keys)
  return failure === undefined ? verdict : { ...verdict, ok: false, failures: [failure, ...verdict.failures] }
}

/**
 * Like `verifyIntent`, but does not check the signature: an attacker who changes the transaction can change the intent
 * as well, so this shows only that the two agree. Verify the transaction against a wish of your own, too.
 */
export async function compareIntent(
  transaction: unknown,
  { intent, intentId }: Omit<SignedIntent, 'intentSignature'>,
  options: Omit<IntentOptions, 'keys'> = {},
): Promise<Verdict> {
  const { table = PINS, at: given = Date.now() } = options
  const at = given === null ? null : toMs(given)
  await checkTable(table)
  const fields = toFields(intent, 'the intent')
  const verdict = verifyTransaction(transaction, intent, { table })
  const id = await digestOf(intent)
  const failures = [
    ...(id === intentId
      ? []
      : [{ rule: 'intent id', expected: id, actual: String(intentId).slice(0, 64) } as const]),
    // If `at` is not a time, `intentExpiry` reports it.
    checkLifetime(fields, Number.isNaN(at) ? null : at),
    at === null ? undefined : intentExpiry(intent, at),
    ...verdict.failures,
  ].filter((failure): failure is Failure => failure !== undefined)
  return { ...verdict, ok: failures.length === 0, failures }
}

/**
 * Upper bound of an intent's lifetime; no service signs a longer one. So an intent that is signed with a retired key and
 * backdated is refused soon after the key's end.
 */
export const LONGEST_LIFETIME_MS = 600_000
/** Accepted difference between the clocks of the service and the verifier. */
const CLOCK_TOLERANCE_MS = 300_000

/** Fails if the intent was issued in the future, or for longer than `LONGEST_LIFETIME_MS`. */
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

/** NaN if the value is not a time. */
const toMs = (at: unknown): number => {
  const ms = at instanceof Date ? at.getTime() : at
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : Number.NaN
}

/**
 * Fails if the intent has expired at `at`, a `Date` or milliseconds since 1970. An intent without expiry counts as
 * expired.
 */
export function intentExpiry(intent: unknown, at: Date | number): Failure | undefined {
  const { expiresAt } = toFields(intent, 'the intent')
  const ms = toMs(at)
  if (Number.isNaN(ms))
    return {
      rule: 'expiry',
      expected: '`at` as a Date or in milliseconds',
      actual: `no such time: ${typeof at}`,
    }
  if (typeof expiresAt === 'string' && ms <= Date.parse(expiresAt)) return undefined
  const actual = Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : 'later'
  return { rule: 'expiry', expected: `not after ${String(expiresAt).slice(0, 64)}`, actual }
}

/** The largest time value of a `Date`. */
const LATEST_MS = 8.64e15
