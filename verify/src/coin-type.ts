import { normalizeStructTag } from '@mysten/sui/utils'

/** Whether two spellings name the same type. What is no type at all is none of ours. */
export function isSameType(given: unknown, known: string): boolean {
  if (typeof given !== 'string') return false
  try {
    return normalizeStructTag(given) === normalizeStructTag(known)
  } catch {
    return false
  }
}
