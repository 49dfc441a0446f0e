import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refreshByLeader } from './refresh-by-leader.ts'
import type { RefreshOutcome } from './refresh-network.ts'

const ACCEPTED = { kind: 'accepted', epoch: 1, checkpointAt: 1, historyComplete: true } as const
const REFUSED = { kind: 'refused', reason: 'it is of another chain' } as const
const deadline = new AbortController().signal

/** One instance, its actions in order, and the outcome of its reads. */
function instance(isHeld: boolean) {
  const done: string[] = []
  const state = { isHeld, elapsed: 0, answer: (): RefreshOutcome => ACCEPTED }
  const note = (what: string) => async () => void done.push(what)
  const byLeader = refreshByLeader({
    async read() {
      done.push('read')
      return state.answer()
    },
    async take() {
      done.push('take')
      return undefined
    },
    publish: note('publish'),
    lease: { isHeld: () => state.isHeld, handOver: note('hand over') },
    elapsed: () => state.elapsed,
  })
  return { state, done, ...byLeader }
}

test('the holder of the lease reads the chain and publishes; other instances take the stored snapshot', async () => {
  const [reader, other] = [instance(true), instance(false)]
  for (const one of [reader, other]) {
    await one.refresh(deadline)
    await one.takeNews()
  }
  assert.deepEqual(reader.done, ['read', 'publish'])
  assert.deepEqual(other.done, ['take', 'take'])
})

test('forceOwnRead makes the next refresh read the chain once, even without the lease', async () => {
  const other = instance(false)
  other.forceOwnRead()
  await other.refresh(deadline)
  await other.refresh(deadline)
  assert.deepEqual(other.done, ['read', 'publish', 'take'])
})

test('a holder without an accepted read for 20 s hands the lease over', async () => {
  const reader = instance(true)
  const failures: (() => RefreshOutcome)[] = [
    () => REFUSED,
    () => {
      throw new Error('no endpoint answers')
    },
  ]
  for (const answer of failures) {
    reader.done.length = 0
    reader.state.answer = () => ACCEPTED
    await reader.refresh(deadline)
    reader.state.answer = answer
    reader.state.elapsed += 19_999
    await reader.refresh(deadline).catch(() => undefined)
    assert.deepEqual(reader.done, ['read', 'publish', 'read'])
    reader.state.elapsed += 1
    await reader.refresh(deadline).catch(() => undefined)
    assert.deepEqual(reader.done, ['read', 'publish', 'read', 'read', 'hand over'])
  }
})

test('an instance that has just acquired the lease has the full 20 s', async () => {
  const next = instance(false)
  next.state.elapsed = 60_000
  await next.refresh(deadline)
  next.state.isHeld = true
  next.state.answer = () => REFUSED
  await next.refresh(deadline)
  assert.deepEqual(next.done, ['take', 'read'])
})
