import type { LogFields, Logger } from '#ports/logger.ts'
import { systemClock } from '../system-clock.ts'
import { isPlain, scrub, scrubLines } from './scrub.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Level = (typeof LEVELS)[number]

export type JsonLoggerOptions = {
  readonly level: Level
  readonly output: { write(line: string): void }
}

/** One JSON object per line. Most of them hold nothing to be removed, and cost little more than `JSON.stringify`. */
export function jsonLogger({ level: lowest, output }: JsonLoggerOptions): Logger {
  const time = isoTime()
  const openLevel = (level: Level) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(lowest)) return () => {}
    const opening = `{"level":"${level}","time":"`
    return (event: string, fields: LogFields = {}, more = '') =>
      output.write(`${opening}${time()}","event":${quote(event)}${toMembers(fields)}${more}}\n`)
  }
  const error = openLevel('error')
  return {
    debug: openLevel('debug'),
    info: openLevel('info'),
    warn: openLevel('warn'),
    error: (event, thrown, fields) => error(event, fields, describeError(thrown)),
  }
}

/** The fields as members of an object that has others before them. */
function toMembers(fields: LogFields): string {
  const json = JSON.stringify(isClean(fields) ? fields : cleaned(fields))
  return json === '{}' ? '' : `,${json.slice(1, -1)}`
}

function isClean(fields: LogFields): boolean {
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string' ? !isPlain(value) : typeof value === 'object' && value !== null)
      return false
  }
  return true
}

/** Only flat values pass, whatever was given: an object could bring along what nobody chose to log. */
function cleaned(fields: LogFields): LogFields {
  const flat: Record<string, LogFields[string]> = {}
  for (const name in fields) {
    const value = fields[name]
    if (typeof value === 'string') flat[name] = scrub(value)
    else if (typeof value !== 'object' || value === null) flat[name] = value
  }
  return flat
}

const quote = (text: string): string => (isPlain(text) ? `"${text}"` : JSON.stringify(scrub(text)))

/** Lines of the same millisecond share their spelling of it. */
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

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return toMembers({ errorMessage: describeThrown(error) })
  const texts = toMembers({
    errorName: error.name,
    errorMessage: error.message,
    errorCode: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    errorCause: error.cause instanceof Error ? error.cause.message : undefined,
  })
  return `${texts},"errorStack":${JSON.stringify(scrubLines(stackOf(error)))}`
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
