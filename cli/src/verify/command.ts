import { GLOBAL_FLAGS } from '../api/global-flags.ts'
import { readInput, readText } from '../api/read-input.ts'
import { readJson } from '../api/read-json.ts'
import { type Command, Misuse, Refusal, type Result, type Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { foreignWishes, refuseOtherPlaces } from './one-place.ts'
import { readTrustedTable } from './pins.ts'
import { VERIFY_SCHEMA } from './schema.ts'

const OPTIONS = {
  input: { type: 'string' },
  wish: { type: 'string', multiple: true },
  keys: { type: 'string' },
  at: { type: 'string' },
  pins: { type: 'string' },
  'pins-key': { type: 'string' },
  'pins-digest': { type: 'string' },
  json: { type: 'boolean' },
} as const

const HELP = `stakewright verify --input -|@FILE|JSON [--wish WORDS|@FILE|JSON] [--keys @FILE] [--at TIME] [--pins @FILE --pins-key KEY]
  Checks offline that a transaction does exactly what was wished. --input is { "transaction", "wish" }: the
  transaction as base64 of its bytes or as the Sui SDK’s JSON, the wish in words (stake 5 IKA with validator 0x… from
  0x…) or as JSON. A wish for a batch is { "network", "sender", "items": [{ "action", … }, …] }, with all its actions.
  Of several wishes all must hold. The output of tx stake, tx unstake, tx withdraw, tx join or tx batch with --sender
  may be --input as it is; --wish then is the wish that you had before you asked. --keys is what intent-keys printed
  earlier: with it the intent must be signed by one of these keys, too. Without a wish --keys is required, and the
  transaction is only compared with what the service signed. An intent in --input is compared with the transaction in
  any case, its expiry included. An intent whose expiresAt has passed is refused, by the clock of this machine or at
  the time that --at gives (ISO 8601). Only transaction is checked: sign what is made from it, not from the commands
  or the summary beside it. An input with a second transaction, wish or intent in another place is refused. --pins
  replaces the pinned package ids. An unsigned table is refused: --pins-key is the Ed25519 public key that must have
  signed it (stakewright pins sign), or --pins-digest names the one table that it must be.
  Exit code 0: it is what was wished. 4: it is not, or the intent has expired, or it or the table is not to be trusted; the
  error says why.
  2: the wish cannot be understood, or the input says in two places what is checked.

stakewright intent-keys --json > keys.json
stakewright tx stake 0x… 5000000000 --sender 0x… --json | stakewright verify --input - --keys @keys.json --wish \\
  'stake 5 IKA with validator 0x… from 0x…'
stakewright verify --input '{ "transaction": "AAAC…", "wish": { "network": "ika", "sender": "0x…", "action": "stake",
  "validator": "0x…", "amount": "5000000000" } }'`

/** Works offline, so it takes no address and no key. */
export function verifyCommand(verifyEmail: Command): Command {
  return {
    words: 'verify',
    usage: '--input -',
    summary: 'Verify offline that a transaction is what was wished',
    section: verifyEmail.section,
    flags: Object.keys(OPTIONS),
    schema: VERIFY_SCHEMA,
    withoutTerminal: 'json',
    help: () => HELP,
    async run(args, terminal) {
      const { positionals } = readOptions(args, {
        options: { ...GLOBAL_FLAGS, ...OPTIONS },
        strict: false,
        allowPositionals: true,
      })
      if (positionals.length === 0) return verifyWish(args, terminal)
      // A line with only a token is meant for `verify-email`.
      const isToken = /^[0-9a-f]{64}$/.test(positionals.join(' '))
      if (isToken && !args.some((arg) => OWN_OPTION.test(arg))) return verifyEmail.run(args, terminal)
      throw new Misuse(NO_WORDS)
    },
  }
}

const OWN_OPTION = new RegExp(
  `^--(?:${Object.keys(OPTIONS)
    .filter((name) => name !== 'json')
    .join('|')})(?:=|$)`,
)

const NO_WORDS =
  'verify checks a transaction and takes options only: --input with the transaction and --wish with what was wished. The TOKEN of a mail belongs to stakewright verify-email.'

async function verifyWish(args: readonly string[], terminal: Terminal): Promise<Result> {
  const { values } = readOptions(args, { options: OPTIONS })
  refuseRepeatedOptions(args)
  const { given, foreign } = await readGiven(values.input, terminal)
  const { transaction, intent, intentId, intentSignature } = given
  const wishes = [
    ...(given['wish'] === undefined ? [] : [given['wish']]),
    ...(await Promise.all((values.wish ?? []).map((wish) => readWish(wish, terminal)))),
  ]
  const keys = values.keys === undefined ? undefined : await read(values.keys, terminal, '--keys')
  if (transaction === undefined || (wishes[0] ?? intent) === undefined)
    throw new Misuse('A transaction and a wish are needed: stakewright help verify shows how to give them.')
  // An attacker who changes the transaction changes its intent as well.
  if (wishes.length === 0 && keys === undefined) throw new Refusal('usage', NO_OWN_WISH, GIVE_WISH)
  if (keys !== undefined && intent === undefined)
    throw new Misuse('--keys checks the signature of an intent, and --input has none.')
  const at = timeOf(values.at, terminal)
  const { checkTable, compareIntent, PINS, verifyIntent, verifyTransaction } = await import(
    '@stakewright/verify'
  )
  const { pins, 'pins-key': key, 'pins-digest': digest } = values
  if (pins === undefined && key !== undefined)
    throw new Misuse('--pins-key is for a table that --pins gives.')
  const table = pins === undefined ? PINS : await readTrustedTable(pins, { key, digest }, terminal)
  try {
    await checkTable(table, digest)
    const byWishes = [...wishes, ...foreign].map((wish) => verifyTransaction(transaction, wish, { table }))
    const signed = { intent, intentId, intentSignature }
    const byIntent = await asFinding(async () => {
      if (intent === undefined) return []
      if (keys === undefined) return [await compareIntent(transaction, signed, { table, at })]
      return [await verifyIntent(transaction, signed, { keys, table, at })]
    })
    return toResult(
      [...byWishes, ...byIntent],
      [
        ...(wishes.length === 0 ? ['wish'] : []),
        ...(intent === undefined || keys !== undefined ? [] : ['intentSignature']),
      ],
    )
  } catch (error) {
    throw toMisuse(error)
  }
}

/** The intent came with the transaction: if it cannot be parsed, that is no misuse but a reason not to sign. */
async function asFinding<T>(compare: () => Promise<T>): Promise<T> {
  try {
    return await compare()
  } catch (error) {
    if (!(error instanceof Error && error.name === 'BadWish')) throw error
    const expected = 'one that agrees with itself'
    throw new NotAsWished([], [{ rule: 'intent', expected, actual: error.message }])
  }
}

async function readGiven(source: string | undefined, terminal: Terminal) {
  const text = await readText(source ?? '-', terminal.readInput, '--input')
  if (source === undefined && text.trim() === '')
    throw new Misuse('The transaction is missing: give it as --input, or on standard input.')
  const input = readJson(text, '--input')
  const { isTransaction } = await import('@stakewright/verify')
  refuseOtherPlaces(input, isTransaction)
  const given = await read('-', { ...terminal, readInput: async () => text })
  return { given, foreign: foreignWishes(input) }
}

/** An appended option must not override an earlier one. Only `--wish` may be repeated: all wishes must hold. */
function refuseRepeatedOptions(args: readonly string[]): void {
  const names = args.flatMap((arg) => /^--([a-z-]+)(?:=|$)/.exec(arg)?.[1] ?? [])
  const twice = names.find((name, at) => name !== 'wish' && name in OPTIONS && names.indexOf(name) < at)
  if (twice !== undefined) throw new Misuse(`--${twice} is given twice, and only one can hold. Give it once.`)
}

/** The time of signing. */
function timeOf(text: string | undefined, { now }: Terminal): number {
  if (text === undefined) return now()
  const at = /^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) throw new Misuse('--at is a time with its zone, such as 2026-01-31T12:00:00Z.')
  return at
}

/** Malformed input is a misuse; a transaction that differs from the wish is a finding. */
function toMisuse(error: unknown): unknown {
  const name = error instanceof Error ? error.name : ''
  const what = { BadWish: 'wish', BadKeys: 'key document', BadTable: 'table' }[name]
  return what === undefined ? error : new Misuse(`The ${what} cannot be used: ${Object(error).message}.`)
}

const read = (source: string, { readInput: readStandardInput }: Terminal, option = '--input') =>
  readInput(source, FIELDS, readStandardInput, option)

/** Reads a wish in words or as JSON. */
async function readWish(source: string, terminal: Terminal): Promise<unknown> {
  const text = await readText(source, terminal.readInput, '--wish')
  // The verifier's message explains how to wish several actions.
  if (/^\s*\[/.test(text)) return readJson(text, '--wish')
  return /^\s*[{"]/.test(text) ? read(text, terminal, '--wish') : text.replace(/\r?\n$/, '')
}

/** Fields taken from another command's output. A wish is not among them: see `foreignWishes`. */
const FIELDS = ['transaction', 'intent', 'intentId', 'intentSignature', 'keys']

const NO_OWN_WISH =
  'Without your own wish and without --keys, the transaction would only be compared with claims of its sender, who can change both.'
const GIVE_WISH =
  'Give --wish with what you wished before you asked, such as { "network", "sender", "action": "stake", "validator", "amount" }; or --keys with what `stakewright intent-keys` printed earlier.'

type Verdict = ReturnType<typeof import('@stakewright/verify').verifyTransaction>

/** `skipped`: checks that were skipped because no wish or no keys were given. */
function toResult(verdicts: readonly Verdict[], skipped: readonly string[]): Result {
  const failures = verdicts.flatMap((verdict) => verdict.failures)
  const [verdict, ...others] = verdicts
  if (verdict === undefined || failures.length > 0) throw new NotAsWished(verdict?.does ?? [], failures)
  const { does, expires, stillOpen } = verdict
  const open = verdict.unchecked.filter((what) => others.every((other) => other.unchecked.includes(what)))
  const unchecked = [...skipped, ...open]
  const lines = [
    skipped.includes('wish') ? SIGNED_ONLY : 'It is what was wished.',
    ...does,
    expires,
    ...unchecked.flatMap((what) => UNCHECKED[what] ?? []),
    ...(stillOpen.length === 0
      ? []
      : [`Still open: ${stillOpen.join(', ')}. Verify the bytes before they are signed.`]),
  ]
  return { data: { ...verdict, unchecked }, text: lines.join('\n') }
}

const SIGNED_ONLY =
  'It is what the service has signed. It was not checked whether that is what you wished: read it, or give --wish.'

const UNCHECKED: Readonly<Record<string, string>> = {
  intentSignature:
    'Not checked: who made the intent beside it. It agrees with the transaction; --keys checks its signature.',
  expiry: 'Not checked: until when it may be executed. Give expiresEpoch in a wish as JSON to bound it.',
  sender: 'Not checked: for whom the service built it. Its intent names no sender.',
}

/** A failed check of the verifier or of the intent. */
type Failure = { readonly rule: string; readonly expected: string; readonly actual: string }

class NotAsWished extends Refusal {
  readonly details: readonly { readonly field: string; readonly message: string }[]

  constructor(does: Verdict['does'], failures: readonly Failure[]) {
    const instead = does.length === 0 ? '' : ` What it does: ${does.join(' ')}`
    super('not_as_wished', `The transaction is not what was wished.${instead}`, 'Do not sign it.')
    this.details = failures.map(({ rule, expected, actual }) => ({
      field: rule,
      message: `expected ${expected}; found ${actual}`,
    }))
  }
}
