/** The length of 128 random bits in hexadecimal. */
const FEWEST_CHARACTERS = 32
const FEWEST_DIFFERENT_CHARACTERS = 8

/** Placeholders from examples, and common choices. */
const PLACEHOLDER = /(?:change|replace).?(?:me|this)|super.?secret|password|quick.?brown|lorem.?ipsum/i

/** Random values published in RFC 7515 and in tutorials (FastAPI, Spring Boot), from which they are copied. */
const PUBLISHED: ReadonlySet<string> = new Set([
  'AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow',
  '09d25e094faa6ca2556c818166b7a9563b93f7099f6f0f4caa6cf63b88e8d3e7',
  '404E635266556A586E3272357538782F413F4428472B4B6250645367566B5970',
])

/** MD5, SHA-1 and SHA-256 of the empty string and of a newline: the result of hashing an unset variable in a shell. */
const HASHES_OF_EMPTY: ReadonlySet<string> = new Set([
  'd41d8cd98f00b204e9800998ecf8427e',
  '68b329da9893e34099c7d8ad5cb9c940',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709',
  'adc83b19e793491b1c6ea0fd8b46cd9f32e592fc',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b',
])

/** Secrets made only of such words are examples, like jwt.io's “a-string-secret-at-least-256-bits-long”. */
const WORDS_OF_EXAMPLES =
  /^(?:a|an|the|this|that|which|is|it|my|our|your|very|really|long|short|strong|secure|safe|random|valid|some|of|for|in|to|be|at|least|and|with|use|bits?|bytes?|characters?|chars?|string|text|word|phrase|secret|private|signing|key|jwt|token|auth|api|app|server|default|example|sample|dev|test|stakewright|prod|production|development|please|correct|horse|battery|staple)+$/i
/** Fewer letters may match by chance. */
const FEWEST_LETTERS_OF_AN_EXAMPLE = 16

/** Keyboard walks: rows of common layouts, and columns. */
const WALKS = [
  '1234567890-=',
  '!@#$%^&*()_+',
  'qwertyuiop[]asdfghjkl;zxcvbnm,./',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/',
]

export const isTooShort = (text: string): boolean => text.length < FEWEST_CHARACTERS

/** Whether a secret can be guessed. False positives: one in 10^8 random hexadecimal secrets. */
export const isWeakSecret = (text: string): boolean =>
  isTooShort(text) ||
  new Set(text).size < FEWEST_DIFFERENT_CHARACTERS ||
  isRepeated(text) ||
  isSequence(text) ||
  PLACEHOLDER.test(text) ||
  PUBLISHED.has(text) ||
  HASHES_OF_EMPTY.has(text.toLowerCase()) ||
  isExample(text)

function isExample(text: string): boolean {
  const letters = text.replaceAll(/[^a-z]/gi, '')
  return letters.length >= FEWEST_LETTERS_OF_AN_EXAMPLE && WORDS_OF_EXAMPLES.test(letters)
}

/** Four characters of random hexadecimal seldom occur twice in one secret. */
const FEWEST_REPEATED = 4
const FEWEST_NEW_CHARACTERS = 20

/**
 * Whether few characters remain when repetitions of earlier ones are left out, even if other characters are between
 * them.
 */
function isRepeated(text: string): boolean {
  let fresh = 0
  for (let at = 0; at < text.length; ) {
    const repeated = repeatedFrom(text, at)
    if (repeated < FEWEST_REPEATED) fresh += 1
    at += repeated < FEWEST_REPEATED ? 1 : repeated
  }
  return fresh < FEWEST_NEW_CHARACTERS
}

/** The length of the longest text at `at` that also occurs before it. */
function repeatedFrom(text: string, at: number): number {
  let length = 0
  while (at + length < text.length && text.slice(0, at).includes(text.slice(at, at + length + 1))) length += 1
  return length
}

/** Whether most characters follow or precede the one before, ignoring repeated characters. */
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
