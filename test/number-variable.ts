/** A positive number that a person has set. Anything else would make loops end at once, and tests pass that tried nothing. */
export function positiveNumber(name: string, text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new Error(`${name} must be a positive number, not '${text}'`)
}

/** An environment variable of the tests. */
export const numberVariable = (name: string, usual: number): number =>
  positiveNumber(name, process.env[name] ?? String(usual))
