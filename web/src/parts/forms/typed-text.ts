import { useEffect, useState } from 'preact/hooks'

/** What a text means: a value, or why it is none. */
export type Meaning<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'problem'; readonly text: string }

type Typed<T> = { readonly text: string; readonly meaning: Meaning<T>; readonly type: (text: string) => void }

/**
 * The text of a field whose value is kept elsewhere, say in the address. What was typed stays as long as it means that
 * value; when the value becomes another one by another way, the text follows.
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
