import { createContext } from 'preact'
import { useCallback, useContext, useId, useLayoutEffect, useState } from 'preact/hooks'
import { h, type View } from '../html.ts'

type Note = (input: string, isOpen: boolean) => void
const Inputs = createContext<Note>(() => undefined)

/** While `isOpen`, the surrounding lab shows no answer, because this input is invalid or not submitted yet. */
export function useOpenInput(isOpen: boolean): void {
  const note = useContext(Inputs)
  const input = useId()
  useLayoutEffect(() => {
    note(input, isOpen)
    return () => note(input, false)
  }, [isOpen])
}

/** The same for a group of inputs. */
export function OpenInput({ isOpen }: { readonly isOpen: boolean }): View {
  useOpenInput(isOpen)
  return null
}

type Props = {
  /** Whether the URL has parts that cannot be read. */
  readonly hasUnread: boolean
  /** Renders the inputs, and the answer only if it belongs to them. */
  readonly children: (isAnswerable: boolean) => View
}

/** Decides whether a lab shows its answer: all inputs in the URL and in each `Field` must be valid. */
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
