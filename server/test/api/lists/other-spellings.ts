const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other texts that decode to the same values. */
export function otherSpellings(cursor: string): readonly string[] {
  const spaced = Buffer.from(JSON.stringify(JSON.parse(Buffer.from(cursor, 'base64url').toString()), null, 1))
  // The last character of a text whose length is no multiple of four has bits that mean nothing.
  const last = CHARACTERS.indexOf(cursor.at(-1) ?? '')
  const loose = cursor.length % 4 === 0 ? [] : [`${cursor.slice(0, -1)}${CHARACTERS[last + 1]}`]
  return [...loose, `${cursor}=`, `${cursor.slice(0, 9)}.${cursor.slice(9)}`, spaced.toString('base64url')]
}
