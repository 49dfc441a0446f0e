/** The random part of an id has this many characters of base 62. */
export const ID_LENGTH = 22

const RANDOM_PART = new RegExp(`^[0-9A-Za-z]{${ID_LENGTH}}$`)

/** Whether a text has the form of an id that the service makes, such as `agt_` and its random part. */
export const isIdOf = (kind: 'agt' | 'key', text: string): boolean =>
  text.startsWith(`${kind}_`) && RANDOM_PART.test(text.slice(kind.length + 1))
