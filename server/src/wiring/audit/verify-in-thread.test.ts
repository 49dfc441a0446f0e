import assert from 'node:assert/strict'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { openTestApp } from '../../../test/support/test-app.ts'
import { openVerifyThread } from './verify-in-thread.ts'
import type { StoreToVerify } from './verify-store.ts'

const threads: Worker[] = []
subscribe('worker_threads', (message) => threads.push(toThread(message)))

/** Node publishes each started thread on the diagnostics channel `worker_threads`. */
const toThread = (message: unknown): Worker => (message as { readonly worker: Worker }).worker

const storeIn = (folder: string, pepper: string): StoreToVerify => ({
  database: { kind: 'sqlite', folder, synchronous: 'normal' },
  pepper,
  anchors: [],
})

test('one thread verifies several stores in turn; after a failure the next verification starts another thread', async () => {
  await using app = await openTestApp()
  await using empty = await tempFolder()
  const pepper = (await readFile(join(app.folder, 'key-pepper'), 'utf8')).trim()
  const present = storeIn(app.folder, pepper)
  threads.length = 0
  await using thread = openVerifyThread()
  const verdicts = await Promise.all([thread.verify(present), thread.verify(present)])
  assert.deepEqual(
    verdicts.map(({ kind }) => kind),
    ['intact', 'intact'],
  )
  assert.equal(threads.length, 1)
  await assert.rejects(thread.verify(storeIn(empty.path, pepper)), /nothing can be verified/)
  assert.equal((await thread.verify(present)).kind, 'intact')
  assert.equal(threads.length, 2)
})

test('an idle thread ends, and closing ends a thread with its verification', async () => {
  await using app = await openTestApp()
  const pepper = (await readFile(join(app.folder, 'key-pepper'), 'utf8')).trim()
  threads.length = 0
  await using soon = openVerifyThread(0)
  await soon.verify(storeIn(app.folder, pepper))
  const [idle] = threads
  assert(idle)
  idle.ref()
  await once(idle, 'exit')
  const closed = openVerifyThread()
  const verdict = assert.rejects(closed.verify(storeIn(app.folder, pepper)), { name: 'AbortError' })
  while (threads.length < 2) await setImmediate()
  await Promise.all([verdict, closed[Symbol.asyncDispose]()])
  await assert.rejects(closed.verify(storeIn(app.folder, pepper)), { name: 'AbortError' })
})

test('if the thread ends without an answer, its verification fails, and the next one gets a new thread', async () => {
  await using app = await openTestApp()
  const pepper = (await readFile(join(app.folder, 'key-pepper'), 'utf8')).trim()
  threads.length = 0
  await using thread = openVerifyThread()
  const failed = assert.rejects(thread.verify(storeIn(app.folder, pepper)), { name: 'AbortError' })
  while (threads.length < 1) await setImmediate()
  await threads[0]?.terminate()
  await failed
  assert.equal((await thread.verify(storeIn(app.folder, pepper))).kind, 'intact')
})
