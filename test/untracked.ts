/**
 * Loaded before the files of a long run: keeps the test runner from following every promise, timer and socket. It does
 * that only to know which test an error belongs to that nobody catches, and it takes a twentieth of the processor time
 * of the tests. Without it such an error fails its file; the file run by its name says which test it is.
 */
import asyncHooks from 'node:async_hooks'

const OF_RUNNER = /node:internal\/test_runner\//
const { createHook } = asyncHooks

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  if (OF_RUNNER.test(new Error().stack ?? '')) hook.enable = () => hook
  return hook
}
