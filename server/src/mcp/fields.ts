/** The fields of an answer, or of the part of one. */
export type Fields = { readonly [key: string]: unknown }

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export const toObject = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
