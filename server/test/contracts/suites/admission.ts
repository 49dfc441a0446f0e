import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { Admission, Decision } from '#ports/stores/admission.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/durations.ts'
import { agentCalled, requestOf } from '../../limits/admission-store.ts'

type Opened = AsyncDisposable & {
  readonly admission: Admission
  readonly agents: Agents
  readonly requestLog: RequestLog
}

/** Opens the same data each time; `first` is empty. */
type Open = () => Promise<AsyncDisposable & { open(): Promise<Opened> }>

const NOON = Date.UTC(2026, 0, 31, 12)
const EVERYBODY = { kind: 'everybody' } as const

const kinds = (decisions: readonly Decision[]) => decisions.map(({ kind }) => kind)
const usage = (decision: Decision) =>
  decision.kind === 'admitted' && decision.quota
    ? [decision.quota.usedMinute, decision.quota.usedDay]
    : decision.kind

/** What every store that admits requests guarantees. */
export function admissionSuite(name: string, open: Open): void {
  suite(`admission: ${name}`, () => {
    keyTests(open)
    limitTests(open)
    logTests(open)
    countTests(open)
  })
}

function keyTests(open: Open): void {
  test('a key that nobody has is unknown, and costs nobody anything', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a'), undefined)
    assert.deepEqual(await store.admission.admit(requestOf('b', NOON)), { kind: 'unknown' })
    assert.deepEqual(usage(await store.admission.admit(requestOf('a', NOON))), [1, 1])
  })

  test('a key that may not be used says why, and is not counted', async () => {
    await using data = await open()
    await using store = await data.open()
    const { agents, admission } = store
    const waiting = agentCalled('pending', { storedStatus: 'pending_verification', verifyBy: NOON + 1 })
    await agents.register(waiting, undefined)
    await agents.register(agentCalled('revoked'), undefined)
    await agents.revoke(EVERYBODY, 'revoked', TRANSITIONS.revoke, NOON)
    await agents.register(agentCalled('rotated'), undefined)
    const key = { digest: 'new key', prefix: 'new' }
    const change = { key, step: TRANSITIONS.rotate, now: NOON, graceEndsAt: NOON + 1 }
    await agents.replaceKey(EVERYBODY, 'rotated', change)
    const ask = async (id: string, at: number) => {
      const decision = await admission.admit(requestOf(id, at))
      return decision.kind === 'unusable' ? decision.status : decision.kind
    }
    assert.equal(await ask('pending', NOON), 'pending_verification')
    assert.equal(await ask('pending', NOON + 1), 'expired')
    assert.equal(await ask('revoked', NOON), 'revoked')
    assert.equal(await ask('rotated', NOON), 'admitted')
    assert.equal(await ask('rotated', NOON + 1), 'replaced')
    assert.equal((await agents.find(EVERYBODY, 'revoked'))?.lastUsedAt, undefined)
  })

  test('a revocation that is committed holds for requests that are asked for in the same moment', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a'), undefined)
    const revoked = store.agents.revoke(EVERYBODY, 'a', TRANSITIONS.revoke, NOON)
    const after = revoked.then(() => store.admission.admit(requestOf('a', NOON)))
    const during = store.admission.admit(requestOf('a', NOON))
    assert.equal((await after).kind, 'unusable')
    await during
  })

  test('two keys of one agent share its quota', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 2, rpd: 9 } }), undefined)
    const key = { digest: 'key of new', prefix: 'new' }
    const change = { key, step: TRANSITIONS.rotate, now: NOON, graceEndsAt: NOON + MINUTE_MS }
    await store.agents.replaceKey(EVERYBODY, 'a', change)
    const decisions = await Promise.all(
      ['a', 'new', 'a', 'new'].map((id) => store.admission.admit(requestOf(id, NOON))),
    )
    assert.deepEqual(kinds(decisions), ['admitted', 'admitted', 'limited', 'limited'])
  })
}

function limitTests(open: Open): void {
  test('of many requests at once exactly as many are admitted as the limit says', async () => {
    await using data = await open()
    await using store = await data.open()
    for (const limit of [1, 10, 100, 1_000]) {
      const id = `limited to ${limit}`
      await store.agents.register(agentCalled(id, { customLimits: { rpm: limit, rpd: 5_000 } }), undefined)
      const ask = () => store.admission.admit(requestOf(id, NOON))
      const first = Array.from({ length: limit }, ask)
      await store.agents.find(EVERYBODY, id)
      const decisions = await Promise.all([...first, ...Array.from({ length: limit + 50 }, ask)])
      assert.equal(decisions.filter(({ kind }) => kind === 'admitted').length, limit)
      assert.equal(decisions.filter(({ kind }) => kind === 'limited').length, limit + 50)
    }
  })

  test('requests are admitted while transactions of others come and go, none lost and none twice', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 1_000, rpd: 1_000 } }), undefined)
    const decisions: Promise<Decision>[] = []
    for (let round = 0; round < 50; round += 1) {
      const change = store.agents.update('a', { step: undefined, limits: { rpm: 1_000, rpd: 1_000 } })
      decisions.push(store.admission.admit(requestOf('a', NOON)), store.admission.admit(requestOf('a', NOON)))
      if (round % 3 === 0) await new Promise(setImmediate)
      await change
    }
    const used = (await Promise.all(decisions)).map((decision) => usage(decision))
    assert.deepEqual(
      used,
      Array.from({ length: 100 }, (_, at) => [at + 1, at + 1]),
    )
  })

  test('a limit of 0 admits nobody', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('m', { customLimits: { rpm: 0, rpd: 10 } }), undefined)
    await store.agents.register(agentCalled('d', { customLimits: { rpm: 10, rpd: 0 } }), undefined)
    for (const id of ['m', 'd']) {
      const decision = await store.admission.admit(requestOf(id, NOON))
      assert(decision.kind === 'limited')
      assert.equal(decision.retryAt, NOON + DAY_MS / 2)
    }
  })

  test('minute and day are charged together or not at all, and a refusal costs nothing', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a', { customLimits: { rpm: 2, rpd: 3 } }), undefined)
    const ask = async (at: number) => usage(await store.admission.admit(requestOf('a', at)))
    assert.deepEqual(
      [await ask(NOON), await ask(NOON), await ask(NOON), await ask(NOON + MINUTE_MS)],
      [[1, 1], [2, 2], 'limited', [1, 3]],
    )
    assert.equal(await ask(NOON + MINUTE_MS), 'limited')
    assert.deepEqual(await ask(NOON + DAY_MS / 2), [1, 1])
  })

  test('users are counted by themselves, with the limits they come with', async () => {
    await using data = await open()
    await using store = await data.open()
    const ask = (userId: string) =>
      store.admission.admit(
        requestOf('', NOON, { claim: { kind: 'user', userId, limits: { rpm: 1, rpd: 5 } } }),
      )
    const decisions = await Promise.all([ask('u'), ask('v'), ask('u')])
    assert.deepEqual(kinds(decisions), ['admitted', 'admitted', 'limited'])
  })

  test('what was counted is counted after a restart', async () => {
    await using data = await open()
    {
      await using store = await data.open()
      await store.agents.register(agentCalled('a', { customLimits: { rpm: 2, rpd: 9 } }), undefined)
      await store.admission.admit(requestOf('a', NOON))
    }
    await using store = await data.open()
    assert.deepEqual(usage(await store.admission.admit(requestOf('a', NOON))), [2, 2])
    assert.equal((await store.admission.admit(requestOf('a', NOON))).kind, 'limited')
  })
}

/** For a store that belongs to one instance, which counts addresses by itself. */
export function addressMemorySuite(name: string, open: Open): void {
  test(`address counts: ${name}: what was noted is there after a restart, for its minute`, async () => {
    await using data = await open()
    {
      await using store = await data.open()
      store.admission.noteAddress({ minuteStart: NOON, low: 1, high: 2, hits: 7 })
      store.admission.noteAddress({ minuteStart: NOON, low: 1, high: 2, hits: 8 })
    }
    await using store = await data.open()
    const kept = [{ minuteStart: NOON, low: 1, high: 2, hits: 8 }]
    assert.deepEqual(await store.admission.addressCounts(NOON), kept)
    assert.deepEqual(await store.admission.addressCounts(NOON + MINUTE_MS), [])
  })

  test(`address counts: ${name}: addresses that share half of their hash are told apart`, async () => {
    await using data = await open()
    const counts = [
      { minuteStart: NOON, low: 1, high: 2, hits: 7 },
      { minuteStart: NOON, low: 1, high: 3, hits: 50 },
      { minuteStart: NOON, low: 2, high: 3, hits: 9 },
    ]
    {
      await using store = await data.open()
      for (const hits of [1, 5]) for (const count of counts) store.admission.noteAddress({ ...count, hits })
      for (const count of counts) store.admission.noteAddress(count)
    }
    await using store = await data.open()
    const kept = await store.admission.addressCounts(NOON)
    assert.deepEqual(
      kept.toSorted((a, b) => a.high - b.high || a.low - b.low),
      counts,
    )
  })
}

function logTests(open: Open): void {
  test('every admitted request is in the log of its agent, newest first, with how it ended', async () => {
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
    const base = { endpoint: 'metadata', truncatedAddress: '192.0.2.0', latencyMicros: 1234 }
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

  test('pages cover the log once, whatever their size, and find outcomes that came late', async () => {
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
    // A commit of its own for what is left.
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

function countTests(open: Open): void {
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
}
