/** As many characters as a random value of 128 bits has in hexadecimal: less is a word that can be guessed. */
const FEWEST_CHARACTERS = 32
const FEWEST_DIFFERENT_CHARACTERS = 8

/** What stands in examples, to be replaced. */
const PLACEHOLDER = /(?:change|replace).?(?:me|this)/i

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

/** Most characters are the successors of those before them, upwards or downwards. */
function isSequence(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).map((code, at) => code - (codes[at] ?? 0))
  return [1, -1].some((step) => steps.filter((each) => each === step).length > steps.length / 2)
}
