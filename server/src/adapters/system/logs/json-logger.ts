import type { LogFields, Logger } from '#ports/logger.ts'
import { type Hide, hideNothing } from '../../../secrets/hide-secrets.ts'
import { systemClock } from '../system-clock.ts'
import { isPlain, scrub, scrubLines } from './scrub.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Level = (typeof LEVELS)[number]

export type JsonLoggerOptions = {
  readonly level: Level
  readonly output: { write(line: string): void }
  /** Hides configured secrets, in case a text repeats one. */
  readonly hide?: Hide
}

/**
 * Writes one JSON object per line. Fast path: a line without suspicious text costs little more than `JSON.stringify`.
 */
export function jsonLogger({ level: lowest, output, hide = hideNothing }: JsonLoggerOptions): Logger {
  const time = isoTime()
  const openLevel = (level: Level) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return () => {}
    const opening = `{"level":"${level}","time":"`
    return (event: string, fields: LogFields = {}, more = '') =>
      output.write(`${opening}${time()}","event":${quote(event)}${toMembers(fields, hide)}${more}}\n`)
  }
  const error = openLevel('error')
  return {
    debug: openLevel('debug'),
    info: openLevel('info'),
    warn: openLevel('warn'),
    error: (event, thrown, fields) => error(event, fields, describeError(thrown, hide)),
  }
}

/** The fields as JSON members, with a leading comma. */
function toMembers(fields: LogFields, hide: Hide): string {
  const json = JSON.stringify(isClean(fields, hide) ? fields : cleaned(fields, hide))
  return json === '{}' ? '' : `,${json.slice(1, -1)}`
}

function isClean(fields: LogFields, hide: Hide): boolean {
  for (const name in fields) {
    const value = fields[name]
    const isString = typeof value === 'string'
    if (isString ? !isPlain(value) || hide(value) !== value : typeof value === 'object' && value !== null)
      return false
  }
  return true
}

/** Keeps only flat values, because an object could contain fields that were not chosen for the log. */
function cleaned(fields: LogFields, hide: Hide): LogFields {
  const flat: Record<string, LogFields[string]> = {}
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') flat[name] = scrub(hide(value))
    else if (typeof value !== 'object' || value === null) flat[name] = value
  }
  return flat
}

const quote = (text: string): string => (isPlain(text) ? `"${text}"` : JSON.stringify(scrub(text)))

/** Caches the text of the current millisecond. */
function isoTime(): () => string {
  let spelled = 0
  let spelling = ''
  return () => {
    const now = systemClock.now()
    if (now !== spelled) spelling = new Date(now).toISOString()
    spelled = now
    return spelling
  }
}

const MAX_CAUSES = 5

function describeError(error: unknown, hide: Hide): string {
  if (!(error instanceof Error)) return toMembers({ errorMessage: describeThrown(error) }, hide)
  const fields = {
    errorName: error.name,
    errorMessage: error.message,
    errorCode: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    errorCause: error.cause instanceof Error ? error.cause.message : undefined,
  }
  return `${toMembers(fields, hide)},"errorStack":${JSON.stringify(scrubLines(hide(stackOf(error))))}`
}

/** The stacks of an error and its causes, without their other properties. */
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
