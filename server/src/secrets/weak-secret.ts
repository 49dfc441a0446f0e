/** As many characters as a random value of 128 bits has in hexadecimal: less is a word that can be guessed. */
const FEWEST_CHARACTERS = 32
const FEWEST_DIFFERENT_CHARACTERS = 8

/** What stands in examples, to be replaced, and what is typed where nothing comes to mind. */
const PLACEHOLDER = /(?:change|replace).?(?:me|this)|super.?secret|password|quick.?brown|lorem.?ipsum/i

/** Keys in the order in which fingers walk over them: along rows of the usual keyboards, and down their columns. */
const WALKS = [
  '1234567890-=',
  '!@#$%^&*()_+',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
]

export const isTooShort = (text: string): boolean => text.length < FEWEST_CHARACTERS

/** Whether a secret can be guessed. Of random hexadecimal, one in 10^8 looks like that. */
export const isWeakSecret = (text: string): boolean =>
  isTooShort(text) ||
  new Set(text).size < FEWEST_DIFFERENT_CHARACTERS ||
  isRepeated(text) ||
  isSequence(text) ||
  PLACEHOLDER.test(text)

/** A short text again and again. */
const isRepeated = (text: string): boolean => /^(.{1,16}?)\1+.{0,15}$/s.test(text)

/** Most characters are the next ones after those before them, upwards or downwards, doubled or not. */
function isSequence(text: string): boolean {
  const characters = [...text.toLowerCase().replaceAll(/(.)\1+/gs, '$1')]
  const pairs = characters.slice(1).map((character, at) => [characters[at] ?? '', character] as const)
  const most = pairs.length / 2
  return (
    pairs.filter(([before, after]) => follows(before, after)).length > most ||
    pairs.filter(([before, after]) => follows(after, before)).length > most
  )
}

const follows = (before: string, after: string): boolean =>
  (after.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0) === 1 ||
  WALKS.some((walk) => walk.includes(before + after))
