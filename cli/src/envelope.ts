import { type ApiCall, asCommand, commandWords } from './api/as-command.ts'
import { ENDPOINT_COMMANDS } from './api/endpoint-commands.ts'
import { flagWords, typedName } from './api/flag-words.ts'

/** The one JSON form of every result and every failure. */

/** What a broken rule adds, such as `limit` and `clearsAt`, is kept as it is. */
type Detail = {
  readonly field: string
  /** What is typed for the field. */
  readonly option?: string | undefined
  readonly message: string
}

export type Failure = {
  readonly code: string
  readonly message: string
  readonly fix?: string | undefined
  readonly retryable: boolean
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly details?: readonly Detail[] | undefined
  /** The call that leads on, and the command that makes it. */
  readonly next?: (ApiCall & { readonly command?: string | undefined }) | undefined
  /** The contract's refusal of a transaction. */
  readonly abort?: unknown
  /** What the owner must decide before the same command goes through. */
  readonly approval?: unknown
}

export const successJson = (data: unknown): string => JSON.stringify({ ok: true, data }, undefined, 2)

/** The caller has the present answer already. */
export const unchangedJson = (): string => JSON.stringify({ ok: true, unchanged: true }, undefined, 2)

/** `data` is what a command found all the same, such as the broken place of a log. */
export const failureJson = (error: Failure, data?: unknown): string =>
  JSON.stringify({ ok: false, error, data }, undefined, 2)

/** Errors of the client, of the service's own code, of Node, and our own: what they have of the fields, they keep. */
export function toFailure(error: unknown, command?: string): Failure {
  if (!(error instanceof Error)) return { code: 'internal_error', message: String(error), retryable: false }
  const more: Partial<Failure> = { ...error }
  const same = ENDPOINT_COMMANDS.filter(({ words }) => words === command)
  const inCommands = (text: string) => flagWords(commandWords(text), same)
  return {
    code: typeof more.code === 'string' ? toCode(more.code) : 'internal_error',
    message: inCommands(error.message),
    fix: more.fix === undefined ? fixOf(more.code, command) : inCommands(more.fix),
    retryable: more.retryable ?? false,
    requestId: more.requestId,
    retryAfterSeconds: more.retryAfterSeconds,
    details: more.details?.length
      ? more.details.map((detail) => {
          const { field, message } = detail
          return { ...detail, option: typedName(field, same), message: inCommands(message) }
        })
      : undefined,
    next: more.next && { ...more.next, command: asCommand(more.next) },
    abort: more.abort,
    approval: more.approval,
  }
}

function fixOf(code: unknown, command: string | undefined): string | undefined {
  if (code === 'unreachable') return UNREACHABLE_FIX
  if (typeof code !== 'string' || toCode(code) !== 'usage') return undefined
  return command === undefined ? USAGE_FIX : `\`stakewright help ${command}\` says what it takes.`
}

const USAGE_FIX = '`stakewright help` lists the commands, `stakewright help COMMAND` says what one takes.'
const UNREACHABLE_FIX =
  'Does the service run there? --url, STAKEWRIGHT_URL or a profile name another address; `npm start` in its folder starts one.'

/** Node's codes, such as ERR_PARSE_ARGS_UNKNOWN_OPTION or EACCES, are no codes of the API. */
function toCode(code: string): string {
  if (code.startsWith('ERR_PARSE_ARGS')) return 'usage'
  return /^[a-z_]+$/.test(code) ? code : 'internal_error'
}
