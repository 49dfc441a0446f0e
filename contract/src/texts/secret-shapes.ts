/**
 * The maximum number of characters directly before or after a key in the same word. Texts of a chain may contain the
 * form of a key by chance, but in longer words: in a signature in base64url (86 characters) one side has at least 16.
 */
const LONGEST_NEIGHBOUR = 14
const MORE = `[\\w-]{${LONGEST_NEIGHBOUR + 1}}`

const SECRETS = [
  // The form of an API key, a JWT, the private key of a Sui wallet.
  new RegExp(`(?<!${MORE})[a-z][a-z0-9]{1,7}_[0-9A-Za-z]{46}(?!${MORE})`),
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/,
  /\bsuiprivkey1[0-9a-z]+/,
]

/** Whether a text contains a secret, so that others must not see it. */
export const hasSecret = (text: string): boolean => SECRETS.some((shape) => shape.test(text))
