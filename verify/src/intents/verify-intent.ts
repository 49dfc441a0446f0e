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
  /** When it is signed, as a `Date` or in milliseconds since 1970. Left out: now. null: expiry is not checked. */
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
    // Without a time, intentExpiry says so.
    checkLifetime(fields, Number.isNaN(at) ? null : at),
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

/** NaN: it is no time. */
const toMs = (at: unknown): number => {
  const ms = at instanceof Date ? at.getTime() : at
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : Number.NaN
}

/**
 * Why an intent has expired at a time, a `Date` or milliseconds; undefined if it has not. An intent without expiry
 * counts as expired.
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

/** The last time that a Date has. */
const LATEST_MS = 8.64e15
