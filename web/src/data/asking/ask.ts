import type { Client } from '@stakewright/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, limitedMs, onReturn, retryMsOf } from '../service.ts'
import type { AnswerCache } from './answers.ts'
import { createPace } from './pace.ts'

/**
 * The answer to a request whose input changes while the user adjusts it. The last answer stays until the next one
 * arrives. A failed request is retried when the service is back or the refusal is over.
 */
export type LiveAnswer<T> = {
  readonly answer: T | undefined
  readonly error: unknown
  readonly isPending: boolean
  /** Whether the answer belongs to an earlier input, and none is on its way to this one. */
  readonly isOld: boolean
  retry(): void
}

type State<T> = {
  readonly answer: T | undefined
  readonly error: unknown
  /** The input that was answered or refused last. */
  readonly key: string | undefined
}

type Options<T> = {
  /** The pause after the last change of the input (debounce). */
  readonly delayMs?: number
  /** A cached answer needs no request. */
  readonly cache?: AnswerCache<T>
}

const pace = createPace()

/** Sends one request at a time, for the newest `key`; `undefined` sends none. Outdated answers are not shown. */
export function useAsk<T>(
  key: string | undefined,
  ask: (client: Client) => Promise<T>,
  { delayMs = 0, cache }: Options<T> = {},
): LiveAnswer<T> {
  const [state, setState] = useState<State<T>>({ answer: undefined, error: undefined, key: undefined })
  const [attempt, setAttempt] = useState(0)
  const inFlight = useRef<Promise<void>>(undefined)
  const refusedUntil = useRef(0)
  useEffect(() => {
    if (key === undefined) return
    const answer = cache?.get(key)
    if (answer !== undefined) return setState({ answer, error: undefined, key })
    let isCurrent = true
    const settle = (change: Partial<State<T>>) => {
      if (isCurrent) setState((before) => ({ answer: before.answer, error: undefined, ...change, key }))
    }
    const send = async () => {
      await inFlight.current
      if (!isCurrent) return
      pace.note(Date.now())
      inFlight.current = call(ask).then(
        (given) => {
          cache?.set(key, given)
          settle({ answer: given })
        },
        (error: unknown) => {
          refusedUntil.current = Date.now() + (retryMsOf(error) ?? 0)
          settle({ error })
        },
      )
    }
    const now = Date.now()
    const heldMs = Math.max(pace.waitMs(now), limitedMs(now), refusedUntil.current - now)
    // Without a delay the user pressed a button: send at once. Moving controls keep the limits.
    const timer = setTimeout(send, delayMs === 0 ? 0 : Math.max(delayMs, heldMs))
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
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
    isOld: state.answer !== undefined && (state.error !== undefined || key === undefined),
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
