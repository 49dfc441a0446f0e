/** Placeholder for a name that is not repeated in an error. */
export const NOT_SHOWN = '(a name that is not repeated)'

/**
 * The form in which an error shows a name sent by a caller: the name itself only if it looks like one, because it may
 * be a misplaced key or password.
 */
export const shownName = (name: string): string => (isName(name) ? name : NOT_SHOWN)

/** Keys, tokens and seed phrases are longer, have other characters, or do not consist of words. */
const isName = (text: string): boolean =>
  /^[A-Za-z_][\w.-]{0,63}$/.test(text) && !isInGroups(text) && !isRandom(text)

/** Three or more groups of the same length, as in recovery codes and licence keys. */
function isInGroups(text: string): boolean {
  const groups = text.split('-')
  return groups.length >= 3 && new Set(groups.map(({ length }) => length)).size === 1
}

const LONGEST_WORD = 24
const SHORTEST_SECRET = 12

function isRandom(text: string): boolean {
  const switches = text.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0
  if (switches > 2) return true
  if (text.length < SHORTEST_SECRET) return false
  const words = text.split(/[_.-]+|(?<=[a-z])(?=[A-Z])/).filter((word) => word !== '')
  const isNoWord = (word: string) => word.length > LONGEST_WORD || /[^aeiou\d]{6}/i.test(word)
  return text.length / words.length < 3 || words.some(isNoWord)
}
