import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildNote, Decision } from '#ports/stores/admission.ts'
import { DAY_MS } from '../../../../src/durations.ts'
import { agentCalled, requestOf } from '../../../limits/admission-store.ts'
import { EVERYBODY, NOON, type OpenData } from './admitting-store.ts'

export function requestLogTests(open: OpenData): void {
  test('every admitted request is in the log of its agent, newest first, with its outcome', async () => {
    await using data = await open()
    {
      await using store = await data.open()
      await store.agents.register(agentCalled('a'), undefined)
      await store.agents.register(agentCalled('b'), undefined)
      for (const [id, at, status] of [
        ['a', NOON, 200],
        ['b', NOON + 1, 404],
        ['a', NOON + 2, 500],
      ] as const) {
        const decision = await store.admission.admit(requestOf(id, at))
        assert(decision.kind === 'admitted')
        store.admission.finish(decision.ticket, status, 1234.4)
      }
      await store.admission.admit(requestOf('a', NOON + 3, { endpoint: 'usage' }))
    }
    await using store = await data.open()
    const { requests, next } = await store.requestLog.requestsOf('a', { after: undefined, limit: 10 })
    const base = {
      endpoint: 'metadata',
      truncatedAddress: '192.0.2.0',
      keyId: undefined,
      latencyMicros: 1234,
      build: undefined,
    }
    assert(requests.every(({ ticket }, at) => at === 0 || ticket < (requests[at - 1]?.ticket ?? 0)))
    assert.deepEqual(
      requests.map(({ ticket: _, ...request }) => request),
      [
        { ...base, at: NOON + 3, endpoint: 'usage', status: undefined, latencyMicros: undefined },
        { ...base, at: NOON + 2, status: 500 },
        { ...base, at: NOON, status: 200 },
      ],
    )
    assert.equal(next, undefined)
  })

  test('the note of a build is read back as it was written, beside entries without one', async () => {
    const broken = [
      { rule: 'maxPerTx', limit: '5', actual: '7', clearsAt: null },
      { rule: 'hours', limit: 'mon from 8 to 18 h UTC', actual: 'x', clearsAt: '2026-01-05T08:00:00.000Z' },
    ]
    const notes: readonly (BuildNote | undefined)[] = [
      { amount: 2n ** 70n, approvalId: 'apr_1', refusal: undefined },
      { amount: 0n, approvalId: undefined, refusal: { code: 'forbidden', message: undefined, broken } },
      // As written by a version without notes.
      undefined,
      { amount: undefined, approvalId: undefined, refusal: { code: 'timeout', message: '"\\', broken: [] } },
    ]
    await using data = await open()
    {
      await using store = await data.open()
      await store.agents.register(agentCalled('a'), undefined)
      for (const [at, note] of notes.entries()) {
        const decision = await store.admission.admit(requestOf('a', NOON + at, { endpoint: 'buildStake' }))
        assert(decision.kind === 'admitted')
        store.admission.finish(decision.ticket, 403, 1, note)
      }
    }
    await using store = await data.open()
    const { requests } = await store.requestLog.requestsOf('a', { after: undefined, limit: 10 })
    assert.deepEqual(
      requests.map(({ build }) => build),
      notes.toReversed(),
    )
  })

  test('pages of any size cover the log once, with outcomes that were recorded late', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 500, rpd: 500 } }), undefined)
    const decisions: Decision[] = []
    for (let burst = 0; burst < 20; burst += 1) {
      const size = (burst % 5) + 1
      const asked = Array.from({ length: size }, () => store.admission.admit(requestOf('a', NOON + burst)))
      decisions.push(...(await Promise.all(asked)))
    }
    for (const [at, decision] of decisions.entries()) {
      if (decision.kind === 'admitted') store.admission.finish(decision.ticket, 200 + at, 1)
      if (at % 7 === 0) await store.admission.admit(requestOf('nobody', NOON))
    }
    // One more commit, for the outcomes that are not written yet.
    await store.admission.admit(requestOf('', NOON, { claim: { kind: 'nobody' } }))
    const expected = decisions.map((_, at) => 200 + at).reverse()
    for (const limit of [1, 3, 7, 100]) {
      const statuses: (number | undefined)[] = []
      let after: string | undefined
      do {
        const page = await store.requestLog.requestsOf('a', { after, limit })
        assert(page.requests.length <= limit)
        statuses.push(...page.requests.map(({ status }) => status))
        after = page.next
      } while (after !== undefined)
      assert.deepEqual(statuses, expected, `pages of ${limit}`)
    }
  })

  test('the last use of an agent is that of its newest admitted request', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 1, rpd: 5 } }), undefined)
    await store.admission.admit(requestOf('a', NOON))
    await store.admission.admit(requestOf('a', NOON + 1))
    assert.equal((await store.agents.find(EVERYBODY, 'a'))?.lastUsedAt, NOON)
  })
}

export function dayCountTests(open: OpenData): void {
  test('days are counted by endpoint, and a transaction built after a look-up and a check as built with care', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 50, rpd: 50 } }), undefined)
    const ask = (endpoint: string, at: number) => store.admission.admit(requestOf('a', at, { endpoint }))
    await ask('buildStake', NOON)
    await Promise.all([ask('metadata', NOON + 1), ask('positions', NOON + 2), ask('buildStake', NOON + 3)])
    await ask('buildUnstake', NOON + 900_001)
    await ask('buildWithdraw', NOON + 900_002)
    await ask('metadata', NOON + DAY_MS)
    const first = Math.floor(NOON / DAY_MS)
    const tools = { buildStake: 2, metadata: 1, positions: 1, buildUnstake: 1, buildWithdraw: 1 }
    assert.deepEqual(await store.requestLog.daysOf('a', first), [
      { tools, built: 4, builtAware: 2 },
      { tools: { metadata: 1 }, built: 0, builtAware: 0 },
    ])
    assert.equal((await store.requestLog.daysOf('a', first + 1)).length, 1)
    assert.deepEqual(await store.requestLog.daysOf('nobody', first), [])
  })

  test('a day to which the clock returns is counted on, beside the days that began in between', async () => {
    await using data = await open()
    const [first, second, third] = [NOON, NOON + DAY_MS, NOON + 2 * DAY_MS]
    {
      await using store = await data.open()
      await store.agents.register(agentCalled('a', { customLimits: { rpm: 50, rpd: 50 } }), undefined)
      const ask = (endpoint: string, at: number) => store.admission.admit(requestOf('a', at, { endpoint }))
      await Promise.all([ask('metadata', first), ask('buildStake', second), ask('metadata', first)])
      await ask('buildStake', second)
      await ask('usage', first)
      await ask('metadata', third)
    }
    await using store = await data.open()
    await store.admission.admit(requestOf('a', second, { endpoint: 'usage' }))
    const firstDay = Math.floor(NOON / DAY_MS)
    const expected = new Map([
      [firstDay, { tools: { metadata: 2, usage: 1 }, built: 0, builtAware: 0 }],
      [firstDay + 1, { tools: { buildStake: 2, usage: 1 }, built: 2, builtAware: 0 }],
      [firstDay + 2, { tools: { metadata: 1 }, built: 0, builtAware: 0 }],
    ])
    const uses = await store.requestLog.usesOf(['a'], firstDay)
    assert.deepEqual(uses.get('a')?.days, expected)
    const days = await store.requestLog.daysOf('a', firstDay)
    assert.deepEqual(new Set(days), new Set(expected.values()))
  })
}
