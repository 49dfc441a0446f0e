/**
 * Loaded before the files of a long run: disables the test runner's tracking of promises, timers and sockets, which
 * takes a twentieth of the processor time of the tests. The runner uses it only to assign uncaught errors to tests.
 * Without it such an error fails its file; to learn the test, run the file by its name.
 */
import asyncHooks from 'node:async_hooks'

const OF_RUNNER = /node:internal\/test_runner\//
const { createHook } = asyncHooks

asyncHooks.createHook = (callbacks) => {
  const hook = createHook(callbacks)
  if (OF_RUNNER.test(new Error().stack ?? '')) hook.enable = () => hook
  return hook
}
