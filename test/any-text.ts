import fc from 'fast-check'

const characters = (min: number, max: number) =>
  fc.integer({ min, max }).map((code) => String.fromCodePoint(code))

const LAST_ASCII = 0x7f
const SURROGATES = [0xd800, 0xdfff] as const
const LAST_CHARACTER = 0x10ffff

const anyCharacter = fc.oneof(
  characters(0, LAST_ASCII),
  characters(0, SURROGATES[0] - 1),
  characters(SURROGATES[1] + 1, LAST_CHARACTER),
)

/**
 * Well-formed texts of all characters, a third of them ASCII. The unit `binary` of fast-check means the same, and makes
 * a table of a million characters each time it is used.
 */
export const anyText = (length: { readonly maxLength?: number } = {}): fc.Arbitrary<string> =>
  fc.string({ ...length, unit: anyCharacter })
