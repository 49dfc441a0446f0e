import { parseArgs } from 'node:util'
import { readInput } from '../api/read-input.ts'
import { type Command, Misuse, Refusal, type Result, type Terminal } from '../command.ts'
import { isObject } from '../render/generic-view.ts'

const OPTIONS = {
  input: { type: 'string' },
  wish: { type: 'string' },
  table: { type: 'string' },
  json: { type: 'boolean' },
} as const

const HELP = `stakewright verify --input -|@FILE|JSON [--wish @FILE|JSON] [--table @FILE]
  Checks offline that a transaction does exactly what was wished. --input is { "transaction", "wish" }: the transaction
  as base64 of its bytes or as the Sui SDK’s JSON, the wish as JSON (an "intent" may stand for it). With --wish the
  output of tx stake, tx unstake or tx withdraw may be --input as it is. --table replaces the pinned package ids.
  Exit code 0: it is what was wished. 4: it is not; the error says why. 2: the wish cannot be understood.

stakewright verify --input '{ "transaction": "AAAC…", "wish": { "network": "ika", "sender": "0x…", "action": "stake",
  "validator": "0x…", "amount": "5000000000" } }'`

/** `verify` without a token is about a transaction. It asks no service, so it has no address and no key. */
export function withTransactions(verifyMail: Command): Command {
  return {
    ...verifyMail,
    usage: 'TOKEN | --input -',
    summary: 'Verify the e-mail address, or offline that a transaction is what was wished',
    flags: [...new Set([...verifyMail.flags, ...Object.keys(OPTIONS)])],
    help: () => `${verifyMail.help?.() ?? ''}\n\n${HELP}`,
    async run(args, terminal) {
      const { positionals } = parseArgs({ args: [...args], strict: false, allowPositionals: true })
      const isAboutMail = !args.some((arg) => /^--(?:input|wish)\b/.test(arg))
      if (isAboutMail || positionals.some((word) => /^[0-9a-f]{64}$/.test(word)))
        return verifyMail.run(args, terminal)
      return verifyWish(args, terminal)
    },
  }
}

async function verifyWish(args: readonly string[], terminal: Terminal): Promise<Result> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  const given = await read(values.input ?? '-', terminal)
  const wish =
    values.wish === undefined ? (given['wish'] ?? given['intent']) : await read(values.wish, terminal)
  if (given['transaction'] === undefined || wish === undefined)
    throw new Misuse('A transaction and a wish are needed: stakewright help verify shows how to give them.')
  const { BadWish, PINS, verifyTransaction } = await import('@stakewright/verify')
  const table = values.table === undefined ? PINS : toTable(await read(values.table, terminal))
  try {
    return toResult(verifyTransaction(given['transaction'], wish, { table }))
  } catch (error) {
    throw error instanceof BadWish ? new Misuse(`The wish cannot be understood: ${error.message}.`) : error
  }
}

const read = (source: string, { readInput: readStandardInput }: Terminal) =>
  readInput(source, ['transaction', 'wish', 'intent'], readStandardInput)

type Verdict = ReturnType<typeof import('@stakewright/verify').verifyTransaction>
type Table = typeof import('@stakewright/verify').PINS

function toTable(value: Readonly<Record<string, unknown>>): Table {
  if (typeof value['version'] === 'number' && isObject(value['networks'])) return value as Table
  throw new Misuse('--table must be { "version", "networks" }, as PINS of @stakewright/verify is.')
}

function toResult(verdict: Verdict): Result {
  const { ok, does, failures, stillOpen } = verdict
  if (!ok) throw new NotAsWished(does, failures)
  const open =
    stillOpen.length === 0
      ? []
      : [`Still open: ${stillOpen.join(', ')}. Verify the bytes before they are signed.`]
  return { data: verdict, text: ['It is what was wished.', ...does, ...open].join('\n') }
}

class NotAsWished extends Refusal {
  readonly details: readonly { readonly field: string; readonly message: string }[]

  constructor(does: Verdict['does'], failures: Verdict['failures']) {
    const instead = does.length === 0 ? '' : ` What it does: ${does.join(' ')}`
    super('not_as_wished', `The transaction is not what was wished.${instead}`, 'Do not sign it.')
    this.details = failures.map(({ rule, expected, actual }) => ({
      field: rule,
      message: `expected ${expected}; found ${actual}`,
    }))
  }
}
