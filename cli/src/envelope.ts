import { type ApiCall, asCommand, commandWords } from './api/as-command.ts'
import { ENDPOINT_COMMANDS } from './api/endpoint-commands.ts'
import { flagWords, typedName } from './api/flag-words.ts'

/** The one JSON form of every result and every failure. */

/** Further fields of a broken policy rule, such as `limit` and `clearsAt`, are kept. */
type Detail = {
  readonly field: string
  /** The option or argument that sets the field. */
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
  /** The call to make next, and its command. */
  readonly next?: (ApiCall & { readonly command?: string | undefined }) | undefined
  /** The contract's refusal of a transaction. */
  readonly abort?: unknown
  /** The approval that the owner must give before the command succeeds. */
  readonly approval?: unknown
}

export const successJson = (data: unknown): string => JSON.stringify({ ok: true, data }, undefined, 2)

export const unchangedJson = (): string => JSON.stringify({ ok: true, unchanged: true }, undefined, 2)

/** `data` is what the command found before it failed, such as the broken place of a log. */
export const failureJson = (error: Failure, data?: unknown): string =>
  JSON.stringify({ ok: false, error, data }, undefined, 2)

/**
 * Turns any error (of the client, the service's code, Node or the command line) into a failure with the fields it
 * has. Fields of a line that takes its input as JSON keep their names.
 */
export function toFailure(error: unknown, command?: string, takesJson = false): Failure {
  if (!(error instanceof Error)) return { code: 'internal_error', message: String(error), retryable: false }
  const more: Partial<Failure> = { ...error }
  const same = takesJson ? [] : ENDPOINT_COMMANDS.filter(({ words }) => words === command)
  const inCommands = (text: string) => flagWords(commandWords(text), same)
  return {
    code: isWrongAddress(more)
      ? 'usage'
      : typeof more.code === 'string'
        ? toCode(more.code)
        : 'internal_error',
    message: inCommands(error.message),
    fix: isWrongAddress(more)
      ? WRONG_ADDRESS_FIX
      : more.fix === undefined
        ? fixOf(more.code, command)
        : inCommands(more.fix),
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

/** Only then the client itself has advice: another attempt would fail in the same way. */
const isWrongAddress = ({ code, fix }: Partial<Failure>): boolean =>
  code === 'unreachable' && fix !== undefined

function fixOf(code: unknown, command: string | undefined): string | undefined {
  if (code === 'unreachable') return UNREACHABLE_FIX
  if (typeof code !== 'string' || toCode(code) !== 'usage') return undefined
  return command === undefined ? USAGE_FIX : `\`stakewright help ${command}\` says what it takes.`
}

const USAGE_FIX = '`stakewright help` lists the commands, `stakewright help COMMAND` says what one takes.'
const WRONG_ADDRESS_FIX =
  'Give the address of the service itself: --url, STAKEWRIGHT_URL or a profile names it.'
const UNREACHABLE_FIX =
  'Does the service run there? --url, STAKEWRIGHT_URL or a profile name another address; `npm start` in its folder starts one.'

/** Maps Node's codes, such as ERR_PARSE_ARGS_UNKNOWN_OPTION or EACCES, to codes of the command line. */
function toCode(code: string): string {
  if (code.startsWith('ERR_PARSE_ARGS')) return 'usage'
  return /^[a-z_]+$/.test(code) ? code : 'internal_error'
}
