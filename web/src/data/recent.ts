/**
 * The value of a key, created if missing. Beyond `most` values, drops the least recently requested one, unless it is
 * in use.
 */
export function recent<T>(
  values: Map<string, T>,
  key: string,
  { make, most, isInUse = () => false }: RecentOptions<T>,
): T {
  const value = values.get(key) ?? make()
  values.delete(key)
  const oldest = values.size < most ? undefined : [...values].find(([, each]) => !isInUse(each))
  if (oldest) values.delete(oldest[0])
  values.set(key, value)
  return value
}

type RecentOptions<T> = {
  readonly make: () => T
  readonly most: number
  readonly isInUse?: (value: T) => boolean
}
