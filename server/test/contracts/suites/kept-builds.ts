import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Agents } from '#ports/stores/agents.ts'
import type { KeptBuild, KeptBuilds } from '#ports/stores/completed-requests.ts'
import { DAY_MS } from '../../../src/durations.ts'
import { active, NOW, recordOf } from './sample-agents.ts'

/** A store that is empty when it is opened. */
type Opened = AsyncDisposable & {
  readonly agents: Agents
  readonly kept: KeptBuilds
  agentNo(id: string): Promise<number>
  dropExpired(before: number): Promise<number>
}

const build = (name: string, change: Partial<KeptBuild> = {}): KeptBuild => ({
  digest: `digest of ${name}`,
  requestDigest: `input of ${name}`,
  now: NOW,
  expiresAt: NOW + DAY_MS,
  answer: JSON.stringify({ name, summary: 'Überweisung 🦉' }),
  intentId: `intent of ${name}`,
  most: 2,
  ...change,
})

export function keptBuildsSuite(name: string, open: () => Promise<Opened>): void {
  suite(`kept builds: ${name}`, () => {
    const openWithAgents = async () => {
      const store = await open()
      for (const id of ['a', 'b'])
        await store.agents.registerWithin(active(id), [], recordOf('self-register'))
      return { ...store, a: await store.agentNo('a'), b: await store.agentNo('b') }
    }

    test('an agent keeps no more builds than its limit, even of simultaneous ones, and a refusal says when to retry', async () => {
      await using store = await openWithAgents()
      const names = ['1', '2', '3', '4', '5']
      const kept = await Promise.allSettled(names.map((one) => store.kept.keep(store.a, build(one))))
      const refused = kept.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      const refusals = refused.map(({ code, retryAfterSeconds }) => ({ code, retryAfterSeconds }))
      assert.deepEqual(refusals, Array(3).fill({ code: 'rate_limited', retryAfterSeconds: DAY_MS / 1_000 }))
      const found = await Promise.all(names.map((one) => store.kept.find(store.a, build(one).digest, NOW)))
      assert.equal(found.filter((one) => one !== undefined).length, 2)
      await store.kept.keep(store.b, build('of b'))
      const later = { now: NOW + DAY_MS, expiresAt: NOW + 2 * DAY_MS }
      for (const one of ['6', '7']) await store.kept.keep(store.a, build(one, later))
      await assert.rejects(store.kept.keep(store.a, build('8', later)), { code: 'rate_limited' })
    })

    test('of two builds with one digest the first is kept, and the second is told to retry', async () => {
      await using store = await openWithAgents()
      await store.kept.keep(store.a, build('1'))
      const again = store.kept.keep(store.a, build('1', { answer: '{}' }))
      await assert.rejects(again, { code: 'store_not_ready', retryAfterSeconds: 1 })
      const { requestDigest, answer } = build('1')
      assert.deepEqual(await store.kept.find(store.a, build('1').digest, NOW), {
        requestDigest,
        answer,
        isReleased: false,
      })
      assert.equal(await store.kept.find(store.a, build('1').digest, NOW + DAY_MS), undefined)
    })

    test('builds that expired before the given time are deleted', async () => {
      await using store = await openWithAgents()
      await store.kept.keep(store.a, build('1'))
      assert.equal(await store.dropExpired(NOW + DAY_MS), 0)
      assert(await store.kept.find(store.a, build('1').digest, NOW))
      assert.equal(await store.dropExpired(NOW + DAY_MS + 1), 1)
      assert.equal(await store.kept.find(store.a, build('1').digest, NOW), undefined)
    })
  })
}
