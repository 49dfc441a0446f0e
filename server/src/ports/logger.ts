export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** One structured line per event. Callers choose flat fields: an object's new property cannot leak. */
export type Logger = {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  /** `error` contributes its name, message, code and stack, never its other properties. */
  error(event: string, error: unknown, fields?: LogFields): void
}
