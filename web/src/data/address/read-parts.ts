/** Reads query parameters of a page's URL, and collects a sentence for each that cannot be read. */
type AddressParts = {
  /** Reads a parameter; `otherwise` if it is missing or cannot be read, in which case `instead` explains the default. */
  read<T>(name: string, read: (text: string) => T | undefined, otherwise: T, instead: string): T
  text(name: string): string | undefined
  /** Sentences about parameters that could not be read. */
  readonly unread: readonly string[]
}

export function readParts(query: URLSearchParams): AddressParts {
  const unread: string[] = []
  const textOf = (name: string): string | undefined => {
    const [text, ...more] = query.getAll(name)
    if (more.length > 0) unread.push(`“${name}” is in the address more than once: the first one counts.`)
    return text
  }
  return {
    unread,
    text: textOf,
    read(name, read, otherwise, instead) {
      const text = textOf(name)
      if (text === undefined) return otherwise
      const value = read(text)
      if (value === undefined) unread.push(unreadText(name, text, instead))
      return value ?? otherwise
    },
  }
}

const LONGEST = 80

export const unreadText = (name: string, text: string, instead: string): string =>
  `“${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}” in the address (${name}) cannot be read: ${instead}.`

/** Reads a number with a decimal point, independent of the locale. */
export const numberFrom =
  (least: number, most: number) =>
  (text: string): number | undefined =>
    /^\d{1,9}(\.\d{1,9})?$/.test(text) && Number(text) >= least && Number(text) <= most
      ? Number(text)
      : undefined

export const wholeFrom = (least: number, most: number) => (text: string) =>
  text.includes('.') ? undefined : numberFrom(least, most)(text)

export const oneOf =
  <T extends string>(words: readonly T[]) =>
  (text: string): T | undefined =>
    words.find((word) => word === text)

/** Reads an amount in smallest units. */
export const readUnits = (text: string): bigint | undefined =>
  /^(0|[1-9]\d{0,19})$/.test(text) && BigInt(text) < 2n ** 64n ? BigInt(text) : undefined

export const readChainId = (text: string): string | undefined =>
  /^0x[0-9a-f]{1,64}$/i.test(text) ? text.toLowerCase() : undefined
