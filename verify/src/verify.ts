import { normalizeSuiAddress } from '@mysten/sui/utils'
import { checkBounds, expiryInWords, stillOpen, unchecked } from './bounds.ts'
import { FRAMEWORK } from './calls.ts'
import { type Decoded, decode } from './decode.ts'
import { interpret } from './interpret.ts'
import { type NetworkPins, PINS, type PinTable } from './networks.ts'
import { type Failure, Refusal } from './refusal.ts'
import { type Effect, toWish, type Wish } from './wish.ts'
import { inWords } from './words.ts'

export type Verdict = {
  /** Whether the transaction does exactly what the wish says. */
  readonly ok: boolean
  readonly network: string
  /** The version of the table of pins. */
  readonly tableVersion: number
  /** Its effects, in order and in plain words; empty if they cannot be determined. */
  readonly does: readonly string[]
  /** Until when the chain executes it, in plain words; empty if that cannot be determined. */
  readonly expires: string
  /** Empty when it is ok. */
  readonly failures: readonly Failure[]
  /** Fields that are filled in after this check: verify the final bytes before they are signed. */
  readonly stillOpen: readonly string[]
  /** Fields that the wish leaves open, so any value was accepted: `expiry`, and `sender` of an intent without one. */
  readonly unchecked: readonly string[]
  /** The digest that wallets show; null while it may change. */
  readonly digest: string | null
}

/**
 * Checks whether a transaction does exactly what is wished. Needs neither a network nor the service that built it.
 *
 * @param transaction Bytes, as they are or as base64, or the Sui SDK's JSON, as text or parsed.
 * @param wish A wish or the intent of a built transaction; one that cannot be understood throws `BadWish`.
 */
export function verifyTransaction(
  transaction: unknown,
  wish: unknown,
  { table = PINS }: { readonly table?: PinTable } = {},
): Verdict {
  const wished = toWish(wish, table)
  const pins = pinsOf(table, wished)
  const about = { network: wished.network, tableVersion: table.version }
  try {
    const decoded = decode(transaction)
    const effects = interpret(decoded, pins)
    decoded.refuseOtherForms()
    const failures = [
      ...checkBounds(decoded, wished, pins),
      ...compare(effects, wished.effects, pins),
      ...compareCalls(callsOf(decoded), wished.calls),
    ]
    return {
      ok: failures.length === 0,
      ...about,
      does: effects.map((effect) => inWords(effect, pins)),
      expires: expiryInWords(decoded),
      failures,
      stillOpen: stillOpen(decoded),
      unchecked: unchecked(wished),
      digest: decoded.digest() ?? null,
    }
  } catch (error) {
    return {
      ok: false,
      ...about,
      does: [],
      expires: '',
      failures: [toFailure(error)],
      stillOpen: [],
      unchecked: unchecked(wished),
      digest: null,
    }
  }
}

/** Any unexpected error means that the transaction is refused. */
function toFailure(error: unknown): Failure {
  if (error instanceof Refusal) return error.failure
  const actual = String(error instanceof Error ? error.message : error).slice(0, 200)
  return { rule: 'encoding', expected: 'values that can be read', actual }
}

function pinsOf({ networks }: PinTable, { network }: Wish): NetworkPins {
  const pins = networks[network]
  if (pins === undefined) throw new Error('a wish names a network of the table')
  return pins
}

/** In order, because an effect may depend on earlier ones. */
function compare(does: readonly Effect[], wished: readonly Effect[], pins: NetworkPins): readonly Failure[] {
  const most = Math.max(does.length, wished.length)
  return Array.from({ length: most }, (_, at): readonly Failure[] => {
    const [actual, expected] = [does[at], wished[at]]
    if (actual && expected && isSame(actual, expected)) return []
    const describe = (effect: Effect | undefined) => (effect ? inWords(effect, pins) : 'nothing')
    return [
      {
        rule: 'effects',
        expected: `${describe(expected)}${hintFor(actual, expected)}`,
        actual: describe(actual),
      },
    ]
  }).flat()
}

/** A hint for a transaction that takes a whole token, whose amount it does not name. */
function hintFor(actual: Effect | undefined, wished: Effect | undefined): string {
  if (!actual || !wished || !('stakedTokenId' in actual && 'stakedTokenId' in wished)) return ''
  const isWhole = actual.amount === undefined && wished.amount !== undefined
  if (!isWhole || !isSame(actual, { ...wished, amount: undefined })) return ''
  return ' If that is all the token holds, name it as `principal` of the wish, too, or leave `amount` out.'
}

function isSame(a: Effect, b: Effect): boolean {
  if (a.action === 'join') return b.action === 'join' && `${a.stakedTokenIds}` === `${b.stakedTokenIds}`
  if (b.action === 'join' || a.action !== b.action || a.amount !== b.amount) return false
  if (a.action === 'stake') return b.action === 'stake' && a.validator === b.validator
  return b.action !== 'stake' && a.stakedTokenId === b.stakedTokenId
}

/**
 * Without framework calls: they only move the sender's own coins and depend on how the SDK completes the
 * transaction.
 */
const callsOf = ({ commands }: Decoded): readonly string[] =>
  commands.flatMap(({ MoveCall: call }) =>
    call && normalizeSuiAddress(call.package) !== FRAMEWORK
      ? [`${normalizeSuiAddress(call.package)}::${call.module}::${call.function}`]
      : [],
  )

function compareCalls(does: readonly string[], wished: readonly string[] | undefined): readonly Failure[] {
  const expected = wished?.map((call) => call.replace(/^[^:]*/, (id) => normalizeSuiAddress(id))).join(', ')
  const actual = does.join(', ')
  return expected === undefined || expected === actual ? [] : [{ rule: 'calls', expected, actual }]
}
