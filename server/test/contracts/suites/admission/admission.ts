import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { Decision } from '#ports/stores/admission.ts'
import { DAY_MS, MINUTE_MS } from '../../../../src/durations.ts'
import { agentCalled, requestOf } from '../../../limits/admission-store.ts'
import { recordOf } from '../sample-agents.ts'
import { EVERYBODY, NOON, type OpenData } from './admitting-store.ts'
import { dayCountTests, requestLogTests } from './request-log.ts'

const kinds = (decisions: readonly Decision[]) => decisions.map(({ kind }) => kind)
const usage = (decision: Decision) =>
  decision.kind === 'admitted' && decision.quota
    ? [decision.quota.usedMinute, decision.quota.usedDay]
    : decision.kind

/** The guarantees of every store that admits requests. */
export function admissionSuite(name: string, open: OpenData): void {
  suite(`admission: ${name}`, () => {
    keyTests(open)
    limitTests(open)
    requestLogTests(open)
    dayCountTests(open)
  })
}

function keyTests(open: OpenData): void {
  test('a key that nobody has is unknown, and its request is charged to nobody', async () => {
    await using data = await open()
    await using store = await data.open()
    await store.agents.register(agentCalled('a'), undefined)
    assert.deepEqual(await store.admission.admit(requestOf('b', NOON)), { kind: 'unknown' })
    assert.deepEqual(usage(await store.admission.admit(requestOf('a', NOON))), [1, 1])
  })

  test('a key that may not be used is refused with the reason, and the request is not charged', async () => {
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

  test('after a request whose time is too late for its key, an earlier one of the same batch is admitted', async () => {
    await using data = await open()
    await using store = await data.open()
    const { agents, admission } = store
    await agents.register(agentCalled('rotated'), undefined)
    const key = { digest: 'new key', prefix: 'new' }
    const change = { key, step: TRANSITIONS.rotate, now: NOON, graceEndsAt: NOON + 1 }
    await agents.replaceKey(EVERYBODY, 'rotated', change)
    for (let batch = 0; batch < 2; batch += 1) {
      const asked = [NOON, NOON + 1, NOON].map((at) => admission.admit(requestOf('rotated', at)))
      assert.deepEqual(kinds(await Promise.all(asked)), ['admitted', 'unusable', 'admitted'])
    }
  })

  test('after a request from another network than those of its key, one from there of the same batch is admitted', async () => {
    await using data = await open()
    await using store = await data.open()
    const { agents, agentKeys, admission } = store
    await agents.register(agentCalled('a'), undefined)
    const key = {
      id: 'narrow',
      name: 'narrow',
      scopes: [],
      networks: ['192.0.2.0/24'],
      createdAt: NOON,
      expiresAt: undefined,
      key: { digest: 'key of narrow', prefix: 'narrow' },
    }
    const rules = { step: TRANSITIONS.rotate, most: 5, forgetBefore: 0, keptEnded: 9 }
    const record = { ...recordOf('create-key'), actions: ['create-key' as const], notice: () => undefined }
    assert.deepEqual(await agentKeys.add(EVERYBODY, 'a', key, rules, record), { kind: 'added' })
    for (let batch = 0; batch < 2; batch += 1) {
      const asked = ['192.0.2.7', '203.0.113.7', '192.0.2.8'].map((client) =>
        admission.admit(requestOf('narrow', NOON, { client })),
      )
      assert.deepEqual(kinds(await Promise.all(asked)), ['admitted', 'unusable', 'admitted'])
    }
  })

  test('a committed revocation holds for requests that are sent at the moment of the commit', async () => {
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

function limitTests(open: OpenData): void {
  test('of simultaneous requests exactly as many are admitted as the limit says', async () => {
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

  test('requests are admitted between other transactions, none lost and none counted twice', async () => {
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

  test('each user is counted separately, with the limits in the claim of the request', async () => {
    await using data = await open()
    await using store = await data.open()
    const ask = (userId: string) =>
      store.admission.admit(
        requestOf('', NOON, { claim: { kind: 'user', userId, limits: { rpm: 1, rpd: 5 } } }),
      )
    const decisions = await Promise.all([ask('u'), ask('v'), ask('u')])
    assert.deepEqual(kinds(decisions), ['admitted', 'admitted', 'limited'])
  })

  test('counts survive a restart', async () => {
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
