/** As many characters as a random value of 128 bits has in hexadecimal: less is a word that can be guessed. */
const FEWEST_CHARACTERS = 32
const FEWEST_DIFFERENT_CHARACTERS = 8

/** What stands in examples, to be replaced, and what is typed where nothing comes to mind. */
const PLACEHOLDER = /(?:change|replace).?(?:me|this)|super.?secret|password|quick.?brown|lorem.?ipsum/i

/** Random, but printed in an RFC and in tutorials, from which they are copied: RFC 7515, FastAPI, Spring Boot. */
const PUBLISHED: ReadonlySet<string> = new Set([
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
])

/** MD5, SHA-1 and SHA-256 of nothing and of a newline: what a command prints that hashes an empty variable. */
const HASHES_OF_NOTHING: ReadonlySet<string> = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  '68b329da9893e34099c7d8ad5cb9c940',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'adc83b19e793491b1c6ea0fd8b46cd9f32e592fc',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b',
])

/** Words by which an example describes itself, like jwt.io's “a-string-secret-at-least-256-bits-long”. */
const WORDS_OF_EXAMPLES =
  /^(?:a|an|the|this|that|which|is|it|my|our|your|very|really|long|short|strong|secure|safe|random|valid|some|of|for|in|to|be|at|least|and|with|use|bits?|bytes?|characters?|chars?|string|text|word|phrase|secret|private|signing|key|jwt|token|auth|api|app|server|default|example|sample|dev|test|stakewright|prod|production|development|please|correct|horse|battery|staple)+$/i
/** Fewer letters may be such words by chance. */
const FEWEST_LETTERS_OF_AN_EXAMPLE = 16

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
  PLACEHOLDER.test(text) ||
  PUBLISHED.has(text) ||
  HASHES_OF_NOTHING.has(text.toLowerCase()) ||
  isExample(text)

function isExample(text: string): boolean {
  const letters = text.replaceAll(/[^a-z]/gi, '')
  return letters.length >= FEWEST_LETTERS_OF_AN_EXAMPLE && WORDS_OF_EXAMPLES.test(letters)
}

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
