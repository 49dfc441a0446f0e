import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino'
import type { LogFields, Logger } from '#ports/logger.ts'
import { scrub, scrubLines } from './scrub.ts'

export type PinoLoggerOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  readonly output: DestinationStream
}

/** Lines are gathered up to this size: one write for many requests instead of one for each. */
const GATHER_BYTES = 8_192
const GATHER_MS = 250

/**
 * Standard output, written in large pieces, and at the latest after a quarter of a second. What must not be lost is in
 * the audit log; a line here may be, if the process is killed.
 */
export function openStandardOutput(): DestinationStream & Disposable {
  const stream = destination({ fd: 1, sync: true, minLength: GATHER_BYTES })
  const timer = setInterval(() => stream.flushSync(), GATHER_MS).unref()
  return {
    write: (line) => stream.write(line),
    [Symbol.dispose]() {
      clearInterval(timer)
      stream.flushSync()
    },
  }
}

/** One JSON object per line. */
export function pinoLogger({ level, output }: PinoLoggerOptions): Logger {
  const log = pino(
    {
      level,
      base: null,
      messageKey: 'event',
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    output,
  )
  return {
    debug: (event, fields) => log.debug(chosen(fields), event),
    info: (event, fields) => log.info(chosen(fields), event),
    warn: (event, fields) => log.warn(chosen(fields), event),
    error: (event, error, fields) => log.error({ ...chosen(fields), ...describeError(error) }, event),
  }
}

/** Only flat values pass, whatever was given: an object could bring along what nobody chose to log. */
function chosen(fields: LogFields = {}): LogFields {
  const flat: Record<string, LogFields[string]> = {}
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') flat[name] = scrub(value)
    else if (typeof value !== 'object' || value === null) flat[name] = value
  }
  return flat
}

const MAX_CAUSES = 5

function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorMessage: scrub(describeThrown(error)) }
  return {
    errorName: scrub(error.name),
    errorMessage: scrub(error.message),
    errorCode: 'code' in error && typeof error.code === 'string' ? scrub(error.code) : undefined,
    errorStack: scrubLines(stackOf(error)),
    errorCause: error.cause instanceof Error ? scrub(error.cause.message) : undefined,
  }
}

/** The texts of an error and of what caused it, and nothing else that may hang on them. */
function stackOf(error: Error): string {
  const stacks: string[] = []
  let cause: unknown = error
  while (cause !== undefined && stacks.length < MAX_CAUSES) {
    stacks.push(cause instanceof Error ? (cause.stack ?? cause.message) : describeThrown(cause))
    cause = cause instanceof Error ? cause.cause : undefined
  }
  return stacks.join('\ncaused by: ')
}

function describeThrown(thrown: unknown): string {
  return typeof thrown === 'object' || typeof thrown === 'function'
    ? 'something that is no error was thrown'
    : String(thrown)
}
