import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { StakewrightError } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/durations.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { newestMail } from '../../support/services/mail-files.ts'
import { openTestApp } from '../../support/test-app.ts'

const ANN = 'ann@example.com'
const ALL = { rule: 'actions', allow: ['stake', 'unstake', 'withdraw'] } as const

async function openWithAgent() {
  const app = await openTestApp()
  const agent = await registerAgent(app, { email: ANN })
  const token = await signIn(app, ANN)
  const ann = app.client({ token })
  const key = app.client({ apiKey: agent.apiKey })
  const put = (json: unknown, ifMatch?: string) =>
    fetch(`${app.url}/api/v1/agents/${agent.id}/policy`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      body: JSON.stringify(json),
    })
  return { app, agent, ann, key, put, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('200: answers about policies have the symbol and decimals of their amounts, as chain data has', async () => {
  await using opened = await openWithAgent()
  const { agent, ann, key } = opened
  const { symbol: coin, decimals: places } = await key.metadata()
  const { id } = agent
  const answers = [
    await ann.writePolicy({ id, rules: [ALL] }),
    await ann.readPolicy({ id }),
    await ann.policyRevisions({ id }),
    await key.ownPolicy(),
    await ann.listApprovals({ id }),
    await ann.waitingApprovals(),
    await ann.listReservations({ id }),
  ]
  for (const { symbol, decimals } of answers) assert.deepEqual([symbol, decimals], [coin, places])
})

test('200: a policy is a revision with its hash, its author and its history; the key reads its own', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, key } = opened
  assert.equal((await ann.readPolicy({ id: agent.id })).data, null)
  assert.equal((await key.ownPolicy()).policy, null)
  const { data: first } = await ann.writePolicy({ id: agent.id, rules: [ALL] })
  const canonical =
    '{"loosenAfterSeconds":0,"rules":[{"allow":["stake","unstake","withdraw"],"rule":"actions"}]}'
  assert.equal(first?.hash, createHash('sha256').update(canonical).digest('hex'))
  assert.equal(first?.revision, 1)
  assert.equal(first?.changedBy.role, 'user')
  app.clock.advance(HOUR_MS)
  const rules = [ALL, { rule: 'maxPerTx', amount: '5' }] as const
  const { data: second } = await ann.writePolicy({ id: agent.id, rules, revision: 1 })
  assert.deepEqual(second?.rules[1], {
    rule: 'maxPerTx',
    amount: '5',
    actions: ['stake', 'unstake', 'withdraw'],
  })
  assert.deepEqual((await ann.readPolicy({ id: agent.id })).data, second)
  const changedBy = { id: null, role: 'user' }
  assert.deepEqual(
    (await key.ownPolicy()).policy,
    { ...second, changedBy },
    'the key does not see who wrote it',
  )
  const history = await ann.policyRevisions({ id: agent.id })
  assert.deepEqual(
    history.data.map(({ revision, hash }) => [revision, hash]),
    [
      [2, second?.hash],
      [1, first?.hash],
    ],
  )
  const page = await ann.policyRevisions({ id: agent.id, limit: 1 })
  assert.equal(page.data[0]?.revision, 2)
  const rest = await ann.policyRevisions({ id: agent.id, limit: 1, cursor: page.nextCursor ?? '' })
  assert.deepEqual([rest.data[0]?.revision, rest.nextCursor], [1, null])
  const actions = (await ann.agentAudit({ id: agent.id })).data.flatMap(({ action }) => action ?? [])
  assert.deepEqual(actions, ['set-policy', 'set-policy', 'activate', 'self-register'])
  await app.runJob('deliver-mail')
  assert.match((await newestMail(app.folder, ANN)).raw, /may do was changed/)
})

test('412: of simultaneous writers one replaces the revision, and the others are refused', async () => {
  await using opened = await openWithAgent()
  const { agent, ann, put } = opened
  const answers = await Promise.all(
    [1, 2, 3, 4].map((hour) => put({ rules: [ALL, { rule: 'hours', from: hour }] })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400, 400])
  assert.equal(answers.find(({ status }) => status === 200)?.headers.get('etag'), '"1"')
  const read = (answer: Response) => answer.json() as Promise<{ message: string }>
  const unnamed = await put({ rules: [] })
  assert.equal(unnamed.status, 400)
  assert.match((await read(unnamed)).message, /If-Match/)
  assert.equal((await put({ rules: [] }, '"7"')).status, 412)
  assert.equal((await put({ rules: [], revision: 2 }, '"1"')).status, 400)
  assert.equal((await put({ rules: [] }, 'x')).status, 400)
  const racing = await Promise.all([put({ rules: [] }, '"1"'), put({ rules: [ALL] }, '1')])
  assert.deepEqual(racing.map(({ status }) => status).toSorted(), [200, 412])
  assert.equal((await ann.policyRevisions({ id: agent.id })).data.length, 2)
})

test('400: invalid rules are refused with the name of the field', async () => {
  await using opened = await openWithAgent()
  const { agent, ann, put } = opened
  const wrong: readonly (readonly [rule: object, field: string])[] = [
    [{ rule: 'anything' }, 'rules[0]'],
    [{ rule: 'actions', allow: [] }, 'rules[0].allow'],
    [{ rule: 'actions', allow: ['stake', 'stake'] }, 'rules[0].allow'],
    [{ rule: 'validators' }, 'rules[0]'],
    [{ rule: 'validators', allow: ['x'] }, 'rules[0].allow[0]'],
    [{ rule: 'maxPerTx', amount: 5 }, 'rules[0].amount'],
    [{ rule: 'maxShare', share: 0 }, 'rules[0].share'],
    [{ rule: 'hours', from: 9, to: 9 }, 'rules[0]'],
    [{ rule: 'hours', days: ['monday'] }, 'rules[0].days[0]'],
    [{ rule: 'expires', at: 'soon' }, 'rules[0].at'],
    [{ rule: 'paused', really: true }, 'rules[0].really'],
  ]
  for (const [rule, field] of wrong) {
    const answer = await put({ rules: [rule] })
    const body = (await answer.json()) as { details?: { field: string }[] }
    assert.equal(answer.status, 400, JSON.stringify(rule))
    assert(
      body.details?.some((detail) => detail.field.startsWith(field)),
      JSON.stringify([rule, body.details]),
    )
  }
  assert.equal((await put({ rules: [{ rule: 'paused' }, { rule: 'paused' }] })).status, 400)
  assert.equal((await ann.readPolicy({ id: agent.id })).data, null)
})

test('200: a looser policy takes effect after the delay that the one before has set, a tighter one at once', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, key } = opened
  const { validators } = await key.scoredValidators()
  const validatorId = validators[0]?.validatorId ?? ''
  const allowed = async (amount: string) =>
    (await key.simulatePolicy({ items: [{ action: 'stake', validatorId, amount }] })).allowed
  const [small, large] = ['10000000000', '50000000000']
  const limited = [ALL, { rule: 'maxPerTx', amount: small }] as const
  await ann.writePolicy({ id: agent.id, rules: limited, loosenAfterSeconds: 60 })
  const { data } = await ann.writePolicy({ id: agent.id, rules: [ALL], revision: 1 })
  const until = app.clock.now() + 60_000
  const [first] = (await ann.policyRevisions({ id: agent.id })).data.slice(-1)
  assert.deepEqual(data?.beside, [{ revision: 1, rules: first?.rules, until: new Date(until).toISOString() }])
  assert.deepEqual((await key.ownPolicy()).policy?.beside, data?.beside)
  assert.deepEqual([await allowed(small), await allowed(large)], [true, false])
  app.clock.set(until - 1)
  assert.equal(await allowed(large), false)
  app.clock.set(until)
  assert.equal(await allowed(large), true)
  assert.deepEqual((await key.ownPolicy()).policy?.beside, [])
  await ann.writePolicy({ id: agent.id, rules: [ALL, { rule: 'paused' }], revision: 2 })
  assert.equal(await allowed(small), false)
})

test('403: a refusal by a replaced policy says when that ends, unless another policy forbids the same', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, key } = opened
  const { id } = agent
  const { validators } = await key.scoredValidators()
  const wish = { validatorId: validators[0]?.validatorId ?? '', amount: '50000000000' }
  const refused = async () => {
    const error: unknown = await key.buildStake(wish).catch((reason: unknown) => reason)
    assert(error instanceof StakewrightError && error.code === 'forbidden', String(error))
    return error.details.map(({ rule, clearsAt }) => [rule, clearsAt])
  }
  const limited = [ALL, { rule: 'maxPerTx', amount: '10000000000' }] as const
  await ann.writePolicy({ id, rules: limited, loosenAfterSeconds: 8 })
  assert.deepEqual(await refused(), [['maxPerTx', null]])
  await ann.writePolicy({ id, rules: limited, loosenAfterSeconds: 20, revision: 1 })
  assert.deepEqual(await refused(), [['maxPerTx', null]], 'the newest one says the same')
  const { data } = await ann.writePolicy({ id, rules: [ALL], revision: 2 })
  const until = data?.beside[0]?.until ?? ''
  assert.equal(Date.parse(until), app.clock.now() + 20_000)
  assert.deepEqual(await refused(), [['maxPerTx', until]], 'the one that ends last')
  const items = [{ action: 'stake', ...wish }] as const
  assert.equal((await key.simulatePolicy({ items })).broken[0]?.clearsAt, until)
  app.clock.set(Date.parse(until))
  await key.buildStake(wish)
})

test('200: each of simultaneous writers is answered with the revision that it wrote', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann } = opened
  const capOf = (revision: number) =>
    ({ rule: 'maxPerTx', actions: ALL.allow, amount: String(1_000 + revision) }) as const
  const write = async (revision: number): Promise<unknown> => {
    try {
      const input = { id: agent.id, rules: [ALL, capOf(revision)] }
      const { data } = await ann.writePolicy(revision === 1 ? input : { ...input, revision: revision - 1 })
      return [data?.revision, data?.rules[1]]
    } catch (error) {
      // It is not the turn of this revision yet.
      if (error instanceof StakewrightError && error.status === 412) return write(revision)
      throw error
    }
  }
  for (let before = 0; before < 30; before += 3) {
    // Stays below the user's limit of requests per minute.
    app.clock.advance(MINUTE_MS)
    const revisions = [before + 1, before + 2, before + 3]
    assert.deepEqual(
      await Promise.all(revisions.map(write)),
      revisions.map((revision) => [revision, capOf(revision)]),
    )
  }
})

test('429: a policy is changed a limited number of times a day, and can be paused beyond that', async () => {
  await using opened = await openWithAgent()
  const { app, agent, put } = opened
  const most = LIMITS.policyChangesPerDay
  const start = app.clock.now()
  const rulesOf = (revision: number) => [ALL, { rule: 'maxPerTx', amount: String(1_000 + revision) }]
  for (let revision = 0; revision < most; revision += 1) {
    // Stays below the user's limit of requests per minute.
    if (revision % 50 === 0) app.clock.advance(MINUTE_MS)
    assert.equal((await put({ rules: rulesOf(revision), revision })).status, 200)
  }
  const refused = await put({ rules: rulesOf(most), revision: most })
  const seconds = (start + MINUTE_MS + DAY_MS - app.clock.now()) / 1_000
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, String(seconds)])
  const paused = [...rulesOf(most - 1), { rule: 'paused' }]
  assert.equal((await put({ rules: paused, revision: most })).status, 200)
  assert.equal((await put({ rules: [ALL], revision: most + 1 })).status, 429)
  app.clock.advance(seconds * 1_000)
  const nextDay = app.client({ token: await signIn(app, ANN) })
  await nextDay.writePolicy({ id: agent.id, rules: [ALL], revision: most + 1 })
})

test('429: a limited number of revisions is in force at once, and the agent can be paused beyond that', async () => {
  await using opened = await openWithAgent()
  const { app, agent, ann, put } = opened
  const most = LIMITS.policiesInForce
  const write = (revision: number, ...more: readonly object[]) =>
    put({ rules: [ALL, ...more], loosenAfterSeconds: 60, revision })
  for (let revision = 0; revision < most; revision += 1) {
    app.clock.advance(1_000)
    assert.equal((await write(revision)).status, 200)
  }
  const { data } = await ann.readPolicy({ id: agent.id })
  assert.equal(data?.beside.length, most - 1)
  const refused = await write(most)
  const end = data?.beside.at(-1)?.until ?? ''
  const seconds = (Date.parse(end) - app.clock.now()) / 1_000
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, String(seconds)])
  assert.equal((await write(most, { rule: 'paused' })).status, 200)
  const again = await write(most + 1)
  assert.deepEqual([again.status, again.headers.get('retry-after')], [429, String(seconds + 1)])
  app.clock.advance((seconds + 1) * 1_000)
  assert.equal((await write(most + 1)).status, 200)
})
