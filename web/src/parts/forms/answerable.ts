import { createContext } from 'preact'
import { useCallback, useContext, useId, useLayoutEffect, useState } from 'preact/hooks'
import { h, type View } from '../html.ts'

type Note = (input: string, isOpen: boolean) => void
const Inputs = createContext<Note>(() => undefined)

/** While `isOpen`, the lab around this input shows no answer: what is written here was not read, or not asked about. */
export function useOpenInput(isOpen: boolean): void {
  const note = useContext(Inputs)
  const input = useId()
  useLayoutEffect(() => {
    note(input, isOpen)
    return () => note(input, false)
  }, [isOpen])
}

/** The same for inputs that are together one. */
export function OpenInput({ isOpen }: { readonly isOpen: boolean }): View {
  useOpenInput(isOpen)
  return null
}

type Props = {
  /** Whether the address has parts that cannot be read. */
  readonly hasUnread: boolean
  /** Draws the inputs, and the answer only if it is one to what they show. */
  readonly children: (isAnswerable: boolean) => View
}

/** The one place that decides whether a lab answers: every input is read, in the address and in each `Field`. */
export function Answerable({ hasUnread, children }: Props): View {
  const [open, setOpen] = useState<ReadonlySet<string>>(NONE)
  const note = useCallback<Note>((input, isOpen) => {
    setOpen((before) => {
      if (before.has(input) === isOpen) return before
      return isOpen ? before.union(new Set([input])) : before.difference(new Set([input]))
    })
  }, [])
  return h(Inputs.Provider, { value: note, children: children(!hasUnread && open.size === 0) })
}

const NONE: ReadonlySet<string> = new Set()
