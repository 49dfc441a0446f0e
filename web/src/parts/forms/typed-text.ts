import { useEffect, useState } from 'preact/hooks'

/** The result of parsing a text: a value, perhaps with a note how it was read, or the reason why there is none. */
export type Meaning<T> =
  | { readonly kind: 'value'; readonly value: T; readonly note?: string | undefined }
  | { readonly kind: 'problem'; readonly text: string }

type Typed<T> = { readonly text: string; readonly meaning: Meaning<T>; readonly type: (text: string) => void }

/**
 * The text of a field whose value is stored elsewhere, such as in the URL. The typed text stays as long as it
 * parses to that value; if the value changes otherwise, the text follows.
 */
export function useTypedText<T>(
  value: T,
  read: (text: string) => Meaning<T>,
  write: (value: T) => string,
  onChange: (value: T) => void,
): Typed<T> {
  const [text, setText] = useState(() => write(value))
  const meaning = read(text)
  useEffect(() => {
    if (meaning.kind === 'problem' || meaning.value !== value) setText(write(value))
  }, [value])
  const type = (next: string) => {
    setText(next)
    const typed = read(next)
    if (typed.kind === 'value') onChange(typed.value)
  }
  return { text, meaning, type }
}
