import { normalizeStructTag } from '@mysten/sui/utils'

/** Whether two spellings name the same type; false for a text that is no type. */
export function isSameType(given: unknown, known: string): boolean {
  if (typeof given !== 'string') return false
  try {
    return normalizeStructTag(given) === normalizeStructTag(known)
  } catch {
    return false
  }
}
