import { type ApiCall, asCommand } from './api/as-command.ts'

/** The one JSON form of every result and every failure. */

export type Failure = {
  readonly code: string
  readonly message: string
  readonly fix?: string | undefined
  readonly retryable: boolean
  readonly requestId?: string | undefined
  readonly retryAfterSeconds?: number | undefined
  readonly details?: readonly { readonly field: string; readonly message: string }[] | undefined
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

export const failureJson = (error: Failure): string => JSON.stringify({ ok: false, error }, undefined, 2)

/** Errors of the client, of the service's own code, of Node, and our own: what they have of the fields, they keep. */
export function toFailure(error: unknown): Failure {
  if (!(error instanceof Error)) return { code: 'internal_error', message: String(error), retryable: false }
  const more: Partial<Failure> = { ...error }
  return {
    code: typeof more.code === 'string' ? toCode(more.code) : 'internal_error',
    message: error.message,
    fix: more.fix ?? (isUsage(more.code) ? USAGE_FIX : undefined),
    retryable: more.retryable ?? false,
    requestId: more.requestId,
    retryAfterSeconds: more.retryAfterSeconds,
    details: more.details?.length ? more.details : undefined,
    next: more.next && { ...more.next, command: asCommand(more.next) },
    abort: more.abort,
    approval: more.approval,
  }
}

const isUsage = (code: unknown): boolean => typeof code === 'string' && toCode(code) === 'usage'
const USAGE_FIX = '`stakewright help` lists the commands, `stakewright help COMMAND` says what one takes.'

/** Node's codes, such as ERR_PARSE_ARGS_UNKNOWN_OPTION or EACCES, are no codes of the API. */
function toCode(code: string): string {
  if (code.startsWith('ERR_PARSE_ARGS')) return 'usage'
  return /^[a-z_]+$/.test(code) ? code : 'internal_error'
}
