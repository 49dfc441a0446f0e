type Thread = { once(event: 'exit', listener: () => void): unknown }

/** Aborts when the thread has ended, so that nobody waits for an answer of a thread that ends without one. */
export function endOf(thread: Thread): AbortSignal {
  const ended = new AbortController()
  thread.once('exit', () => ended.abort(new Error('The thread has ended without an answer.')))
  return ended.signal
}
