import { CHECKSUM_LENGTH, crc32Of, KEY_RANDOM_LENGTH, toChecksum } from './key-form.ts'

const AFTER_PREFIX = `[0-9A-Za-z]{${KEY_RANDOM_LENGTH + CHECKSUM_LENGTH}}`
const END_OF_PREFIX = new RegExp(`_(?=${AFTER_PREFIX})`, 'g')
const [SHORTEST_PREFIX, LONGEST_PREFIX] = [2, 8]

const SECRETS = [
  // A word in the form of an API key, a JWT, the private key of a Sui wallet.
  new RegExp(`(?<![\\w-])[a-z][a-z0-9]{1,7}_${AFTER_PREFIX}(?![\\w-])`),
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/,
  /\bsuiprivkey1[0-9a-z]+/,
]

/**
 * Whether a text contains a secret, so that others must not see it. Inside a longer word only a key with a valid
 * checksum counts, because signatures and ids of a chain contain its form by chance.
 */
export const hasSecret = (text: string): boolean =>
  SECRETS.some((shape) => shape.test(text)) || containsKey(text)

function containsKey(text: string): boolean {
  for (const { index } of text.matchAll(END_OF_PREFIX)) {
    const end = index + 1 + KEY_RANDOM_LENGTH
    const checksum = text.slice(end, end + CHECKSUM_LENGTH)
    for (let length = SHORTEST_PREFIX; length <= LONGEST_PREFIX && length <= index; length += 1)
      if (toChecksum(crc32Of(text.slice(index - length, end))) === checksum) return true
  }
  return false
}
