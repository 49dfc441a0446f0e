/**
 * Estimates the tokens of a text from its pieces of words, numbers and punctuation, independent of any model's
 * vocabulary. Chain ids are many short pieces, so their length says little.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(PIECES)) tokens += Math.ceil(piece.length / LONGEST_PIECE)
  return tokens
}

/**
 * A word or a part of one in camelCase, up to three digits, the mark of an empty or repeated cell, up to three signs,
 * or the space between them.
 */
const PIECES =
  / ?(?:\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[\p{L}\p{M}])|\p{N}{1,3}| ["-](?= )|[^\s\p{L}\p{N}]{1,3}|\s+/gu

/** Longer words are seldom one token. */
const LONGEST_PIECE = 9
