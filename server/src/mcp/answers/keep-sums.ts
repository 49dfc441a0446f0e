import type { ListSum } from '@stakewright/contract'
import { type Fields, listOf, toObject } from '../fields.ts'

/**
 * Keeps the sums of a shortened answer correct: the sum of the items left out is added to the field that already sums
 * up unlisted items; if there is no such field, it is returned in `left`, by list and field.
 */
export function keepSums(whole: Fields, shown: Fields, sums: readonly ListSum[]) {
  let kept = shown
  const left: Record<string, string> = {}
  for (const { list, field, remainder, isOfUnlisted } of sums) {
    const missing = sumOf(whole[list], field) - sumOf(shown[list], field)
    if (missing === 0n) continue
    if (isOfUnlisted) kept = { ...kept, [remainder]: String(BigInt(String(kept[remainder])) + missing) }
    else left[`${list}.${field}`] = String(missing)
  }
  return { kept, left }
}

const sumOf = (list: unknown, field: string): bigint =>
  listOf(list).reduce((sum: bigint, item) => sum + BigInt(String(toObject(item)[field] ?? 0)), 0n)
