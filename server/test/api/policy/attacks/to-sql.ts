/** A stored value as a literal; times in milliseconds are numbers. */
export const toSql = (value: unknown): string =>
  typeof value === 'string' && !/^\d{13}$/.test(value) ? `'${value}'` : String(value)
