import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentQueues } from './agent-queues.ts'

const TOO_MANY = {
  code: 'service_overloaded',
  fix: /^Send fewer requests of this agent at once/,
  retryAfterSeconds: 2,
}

test('per agent one request runs and 100 wait; another is refused, and other agents are served', async () => {
  const queueByAgent = agentQueues()
  const ends = Promise.withResolvers<void>()
  const asked = Array.from({ length: 101 }, () => queueByAgent(1, () => ends.promise))
  await assert.rejects(
    queueByAgent(1, async () => {}),
    TOO_MANY,
  )
  assert.equal(await queueByAgent(2, async () => 'served'), 'served')
  ends.resolve()
  await Promise.all(asked)
})

test('a request that has waited longer than the store timeouts is refused without running, and the next one runs', async () => {
  let now = 0
  const queueByAgent = agentQueues({ connectMs: 400, statementMs: 550 }, () => now)
  const ends = Promise.withResolvers<void>()
  const first = queueByAgent(1, () => ends.promise)
  const late = assert.rejects(
    queueByAgent(1, () => assert.fail('nobody waits for it any more')),
    TOO_MANY,
  )
  now = 951
  ends.resolve()
  await Promise.all([first, late])
  assert.equal(await queueByAgent(1, async () => 'served'), 'served')
})
