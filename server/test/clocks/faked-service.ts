import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasEnded } from '../support/server-process.ts'
import { findProgram } from '../support/services/debian-program.ts'

const PROGRAM = fileURLToPath(new URL('./faked-process.ts', import.meta.url))
/** The workspace's compile cache. */
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url))
const LIBRARY = 'faketime/libfaketimeMT.so.1'

/** A process of the service with a wrong system clock (libfaketime). */
export type FakedService = AsyncDisposable & {
  readonly url: string
  /** `Date.now()` of the process at its start. */
  readonly now: number
  runJob(name: string): Promise<void>
  /** Stops it as a signal would. */
  stop(): Promise<void>
}

/** `offset` has libfaketime's format: `-12d`, `+95d`. */
export async function startFakedService(
  offset: string,
  env: Readonly<Record<string, string>>,
): Promise<FakedService> {
  const child = fork(PROGRAM, {
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE,
      PORT: '0',
      ...env,
      ...(await fakedClock(offset)),
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = once(child, 'close')
  const first = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  assert(first, 'the service has started')
  const { url, now } = toStarted(first[0])
  return {
    url,
    now,
    async runJob(name) {
      child.send(name)
      const [outcome] = await once(child, 'message')
      assert.equal(outcome, 'done')
    },
    async stop() {
      child.send('stop')
      await ended
    },
    async [Symbol.asyncDispose]() {
      if (!hasEnded(child)) child.kill('SIGKILL')
      await ended
    },
  }
}

/** The cast holds because this is the program's first message. */
const toStarted = (message: unknown) => message as { readonly url: string; readonly now: number }

/** Environment that makes libfaketime shift the system time. Monotonic time is not faked. */
async function fakedClock(offset: string): Promise<Readonly<Record<string, string>>> {
  const settings = { DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1', NO_FAKE_STAT: '1' }
  return { LD_PRELOAD: await findLibrary(), FAKETIME: offset, ...settings }
}

/** Path of libfaketime, in the library folder named after the machine's architecture. */
export async function findLibrary(): Promise<string> {
  const { command } = await findProgram(['faketime'], ['faketime', 'libfaketime'])
  const libraries = join(dirname(command), '..', 'lib')
  const names = await readdir(libraries)
  const folder = names.find((name) => name.endsWith('-linux-gnu'))
  assert(folder, `libfaketime is in ${libraries}`)
  return join(libraries, folder, LIBRARY)
}
