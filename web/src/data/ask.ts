import type { Client } from '@stakewright/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, onReturn, retryMsOf } from './service.ts'

/**
 * The answer to a request whose input changes while the user adjusts it. The last answer stays until the next one
 * arrives or fails: next to an error it would look like the answer to the new input. A failed request is retried
 * when the service is back or the refusal is over.
 */
export type Asked<T> = {
  readonly answer: T | undefined
  readonly error: unknown
  readonly isPending: boolean
  retry(): void
}

type State<T> = { readonly answer: T | undefined; readonly error: unknown; readonly key: string | undefined }

/**
 * Sends the request `delayMs` after the last change of `key` (debounce); `undefined` sends none. Outdated answers
 * are dropped.
 */
export function useAsk<T>(
  key: string | undefined,
  ask: (client: Client) => Promise<T>,
  delayMs = 160,
): Asked<T> {
  const [state, setState] = useState<State<T>>({ answer: undefined, error: undefined, key: undefined })
  const [attempt, setAttempt] = useState(0)
  const newest = useRef<string | undefined>(undefined)
  useEffect(() => {
    newest.current = key
    if (key === undefined) return
    const settle = (change: Partial<State<T>>) => {
      if (newest.current === key)
        setState((before) => ({ answer: before.answer, error: undefined, ...change, key }))
    }
    const timer = setTimeout(() => {
      call(ask).then(
        (answer) => settle({ answer }),
        (error: unknown) => settle({ error, answer: undefined }),
      )
    }, delayMs)
    return () => clearTimeout(timer)
  }, [key, attempt])
  const retry = () => setAttempt((before) => before + 1)
  useEffect(() => {
    if (state.error === undefined || state.key !== key) return
    const retryMs = retryMsOf(state.error)
    if (retryMs === undefined) return onReturn(retry)
    const timer = setTimeout(retry, retryMs)
    return () => clearTimeout(timer)
  }, [state.error, key])
  return {
    answer: state.answer,
    error: state.error,
    isPending: key !== undefined && state.key !== key,
    retry,
  }
}

/** Debounces a value: returns it once it has not changed for `delayMs`. */
export function useSettled<T>(value: T, delayMs = 250): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
