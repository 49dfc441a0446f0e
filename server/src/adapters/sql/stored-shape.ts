/** Reads values from stored JSON. A value of another shape throws, naming its path. */
export type Read<T> = (value: unknown, path: string) => T

export function text(value: unknown, path: string): string {
  return typeof value === 'string' ? value : wrong(path, 'text')
}

export function number(value: unknown, path: string): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : wrong(path, 'a number')
}

export function flag(value: unknown, path: string): boolean {
  return typeof value === 'boolean' ? value : wrong(path, 'true or false')
}

/** A bigint, which JSON does not have: stored as its decimal digits. */
export function amount(value: unknown, path: string): bigint {
  return typeof value === 'string' && /^-?\d{1,80}$/.test(value)
    ? BigInt(value)
    : wrong(path, 'a whole number')
}

/** JSON that `amount` reads the bigints of. */
export const writeJson = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each))

export function oneOf<const T extends string>(allowed: readonly T[]): Read<T> {
  return (value, path) =>
    allowed.find((name) => name === value) ?? wrong(path, `one of ${allowed.join(', ')}`)
}

export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value, path) => (value === undefined || value === null ? undefined : read(value, path))
}

export function listOf<T>(read: Read<T>): Read<readonly T[]> {
  return (value, path) =>
    Array.isArray(value)
      ? value.map((item: unknown, index) => read(item, `${path}[${index}]`))
      : wrong(path, 'a list')
}

/** One reader per field: a field added to the type and forgotten here does not compile. */
export function object<T>(shape: { readonly [Field in keyof T]-?: Read<T[Field]> }): Read<T> {
  const readers = Object.entries<Read<unknown>>(shape)
  return (value, path) => {
    const fields = toFields(value, path)
    return toWhole<T>(readers.map(([name, read]) => [name, read(fields[name], `${path}.${name}`)]))
  }
}

/** Any object may be read by any field name. */
function toFields(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return wrong(path, 'an object')
  return value as Readonly<Record<string, unknown>>
}

/** `object` passes one entry per field of T, read by that field's reader. */
function toWhole<T>(entries: readonly (readonly [string, unknown])[]): T {
  return Object.fromEntries(entries) as T
}

function wrong(path: string, expected: string): never {
  throw new TypeError(`${path} is not ${expected}`)
}
