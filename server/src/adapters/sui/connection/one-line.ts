/** Printable ASCII on one line: all that a status text may hold. */
export const oneLine = (text: string, mostCharacters: number): string =>
  text
    .replace(/[^\x20-\x7e]+/g, ' ')
    .trim()
    .slice(0, mostCharacters)
