import { type DestinationStream, destination, pino, stdTimeFunctions } from 'pino'
import type { LogFields, Logger } from '#ports/logger.ts'
import { scrub } from './scrub.ts'

export type PinoLoggerOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Where lines go; standard output unless given. */
  readonly output?: DestinationStream
}

/** One JSON object per line. A line is written before the call returns: what is logged survives a crash. */
export function pinoLogger({
  level,
  output = destination({ fd: 1, sync: true }),
}: PinoLoggerOptions): Logger {
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
    error: (event, error, fields) => log.error({ ...chosen(fields), ...chosen(describeError(error)) }, event),
  }
}

/** Only flat values pass, whatever was given: an object could bring along what nobody chose to log. */
function chosen(fields: LogFields = {}): LogFields {
  const entries = Object.entries(fields).filter(([, value]) => typeof value !== 'object' || value === null)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? scrub(value) : value]),
  )
}

function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { errorMessage: describeThrown(error) }
  return {
    errorName: error.name,
    errorMessage: error.message,
    errorCode: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    errorStack: error.stack,
    errorCause: error.cause instanceof Error ? error.cause.message : undefined,
  }
}

function describeThrown(thrown: unknown): string {
  return typeof thrown === 'object' || typeof thrown === 'function'
    ? 'something that is no error was thrown'
    : String(thrown)
}
