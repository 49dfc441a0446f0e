type Thread = { once(event: 'exit', listener: () => void): unknown }

/** Aborts when the thread has ended, so that callers do not wait for an answer that never comes. */
export function endOf(thread: Thread): AbortSignal {
  const ended = new AbortController()
  thread.once('exit', () => ended.abort(new Error('The thread has ended without an answer.')))
  return ended.signal
}
