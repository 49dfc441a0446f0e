import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { shareReads } from './share-reads.ts'

const never = new AbortController().signal

function counted() {
  const reads: (PromiseWithResolvers<string> & { readonly key: string; readonly signal: AbortSignal })[] = []
  const read = shareReads((key, signal) => {
    const begun = { key, signal, ...Promise.withResolvers<string>() }
    signal.addEventListener('abort', () => begun.reject(signal.reason))
    reads.push(begun)
    return begun.promise
  })
  return { reads, read }
}

test('concurrent callers with the same key share one read; a call after its end starts another', async () => {
  const { reads, read } = counted()
  const answers = [read('a', never), read('a', never), read('b', never)]
  assert.deepEqual(
    reads.map(({ key }) => key),
    ['a', 'b'],
  )
  for (const { key, resolve } of reads) resolve(`of ${key}`)
  assert.deepEqual(await Promise.all(answers), ['of a', 'of a', 'of b'])
  const later = read('a', never)
  assert.equal(reads.length, 3)
  reads[2]?.resolve('newer')
  assert.equal(await later, 'newer')
})

test('a failure rejects all waiting callers and is not cached', async () => {
  const { reads, read } = counted()
  const answers = [read('a', never), read('a', never)]
  reads[0]?.reject(new Error('gone'))
  for (const answer of answers) await assert.rejects(answer, /gone/)
  const next = read('a', never)
  reads[1]?.resolve('back')
  assert.equal(await next, 'back')
})

test('the read continues when one caller aborts, and is aborted with the last one', async () => {
  const { reads, read } = counted()
  const [one, other] = [new AbortController(), new AbortController()]
  const answers = [read('a', one.signal), read('a', other.signal)]
  one.abort()
  await assert.rejects(answers[0] ?? assert.fail(), { code: 'rpc_unavailable' })
  assert.equal(reads[0]?.signal.aborted, false)
  other.abort()
  await assert.rejects(answers[1] ?? assert.fail(), { code: 'rpc_unavailable' })
  assert.equal(reads[0]?.signal.aborted, true)
  const again = read('a', never)
  assert.equal(reads.length, 2)
  reads[1]?.resolve('again')
  assert.equal(await again, 'again')
})

test('after a read no listener is left on the signal of its caller', async () => {
  const { reads, read } = counted()
  const { signal } = new AbortController()
  const answers = [read('a', signal), read('a', signal), read('b', signal)]
  reads[0]?.resolve('of a')
  reads[1]?.reject(new Error('gone'))
  await Promise.allSettled(answers)
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})
