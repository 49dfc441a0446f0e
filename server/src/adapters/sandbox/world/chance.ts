/** A seeded random generator: the same words give the same numbers on every machine. */
export type Chance = {
  /** A whole number from 0 up to, not including, `limit` (at most 2^32). */
  below(limit: number): number
  /** 0 ≤ x < 1. */
  unit(): number
  /** Approximately normal: mean 0, standard deviation 1, within ±6. */
  bell(): number
  /** One of the items, each as likely. */
  pick<T>(items: readonly [T, ...T[]]): T
}

const WORD = 2 ** 32

/** FNV-1a over UTF-16 code units, with a final mix so that similar texts get unrelated hashes. */
function hashWord(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by))

/** A number 0 ≤ x < 1, derived from the words. */
export const rollOf = (...words: readonly (string | number)[]): number =>
  hashWord(words.join('\u0000'), 0) / WORD

/** xoshiro128** with its state taken from the words. */
export function chanceFrom(...words: readonly (string | number)[]): Chance {
  const text = words.join('\u0000')
  let [a, b, c, d] = [hashWord(text, 1), hashWord(text, 2), hashWord(text, 3), hashWord(text, 4) | 1]
  const next = () => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }
  const unit = () => next() / WORD
  const below = (limit: number) => Math.floor(unit() * limit)
  return {
    unit,
    below,
    bell: () => Array.from({ length: 12 }, unit).reduce((sum, x) => sum + x, -6),
    pick: (items) => items[below(items.length)] ?? items[0],
  }
}
