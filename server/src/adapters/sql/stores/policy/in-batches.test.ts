import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentQueues } from '#wiring/agent-queues.ts'
import { inBatches } from './in-batches.ts'

/** Batches whose outcomes depend on the words in them, and a list of all batches. */
function openBatches(queueByAgent = agentQueues()) {
  const batches: string[][] = []
  const ask = inBatches<string, string>(queueByAgent, async (agentNo, batch) => {
    batches.push(batch.map((word) => `${agentNo} ${word}`))
    if (batch.includes('all fail')) throw new Error('all fail')
    return batch.map((word) => (word === 'fails' ? new Error('fails') : `did ${word}`))
  })
  return { batches, ask }
}

const words = (count: number) => Array.from({ length: count }, (_, at) => `${at}`)

test('concurrent requests of one agent are decided in one batch, in order, apart from other agents', async () => {
  const { batches, ask } = openBatches()
  const outcomes = await Promise.all([ask(1, 'a'), ask(2, 'b'), ask(1, 'c'), ask(1, 'd')])
  assert.deepEqual(outcomes, ['did a', 'did b', 'did c', 'did d'])
  assert.deepEqual(batches, [['1 a', '1 c', '1 d'], ['2 b']])
  assert.equal(await ask(1, 'e'), 'did e')
})

test('a batch has at most 64 requests', async () => {
  const { batches, ask } = openBatches()
  const outcomes = await Promise.all(words(65).map((word) => ask(1, word)))
  assert.deepEqual(
    outcomes,
    words(65).map((word) => `did ${word}`),
  )
  assert.deepEqual(
    batches.map(({ length }) => length),
    [64, 1],
  )
})

test('an error rejects its own request, and a failure all requests of the batch', async () => {
  const { ask } = openBatches()
  const settled = await Promise.allSettled([ask(1, 'a'), ask(1, 'fails'), ask(1, 'b')])
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  const failed = await Promise.allSettled([ask(1, 'a'), ask(1, 'all fail')])
  assert.deepEqual(
    failed.map((one) => one.status === 'rejected' && one.reason.message),
    ['all fail', 'all fail'],
  )
  assert.equal(await ask(1, 'c'), 'did c')
})

test('a request whose turn is refused is not decided, and the others are', async () => {
  const queueByAgent = agentQueues()
  let asked = 0
  const { batches, ask } = openBatches(async (agentNo, work) => {
    asked += 1
    if (asked === 2) throw new Error('too many')
    return queueByAgent(agentNo, work)
  })
  const settled = await Promise.allSettled([ask(1, 'a'), ask(1, 'b'), ask(1, 'c')])
  assert.deepEqual(
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    ['did a', 'too many', 'did c'],
  )
  assert.deepEqual(batches, [['1 a', '1 c']])
})
