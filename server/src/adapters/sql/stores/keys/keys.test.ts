import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TRANSITIONS } from '#domain/agents/agent-state.ts'
import type { NewNamedKey } from '#ports/stores/agent-keys.ts'
import type { ActionRecord } from '#ports/stores/agents.ts'
import { active, EVERYBODY } from '../../../../../test/contracts/suites/sample-agents.ts'
import { openSqliteOfFile } from '../../../../../test/support/sqlite-of-file.ts'
import { openSecrets } from '../../../system/system-secrets.ts'
import { sqlAgents } from '../agents.ts'
import { isSealed } from './key-seal.ts'
import { sqlAgentKeys } from './named-keys.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const { db } = await openSqliteOfFile()
const agents = sqlAgents({ db, secrets })
const keys = sqlAgentKeys({ db, secrets })

const ANN = { kind: 'owner', owner: 'ann' } as const
const BOB = { kind: 'owner', owner: 'bob' } as const
const AT = 1_000_000

/** The key prefix of each mail to the owner; undefined: the mail was about the whole agent. */
const mailed: (string | undefined)[] = []
const record: ActionRecord = {
  actions: ['create-key'],
  at: AT,
  actor: { kind: 'user', id: 'ann', role: 'user' },
  truncatedAddress: '',
  via: 'rest',
  notice: (_agent, prefix) => {
    mailed.push(prefix)
    return undefined
  },
}
const takeMailed = () => mailed.splice(0)

let made = 0
/** Two agents of two owners, because a change of one must leave the other alone. */
async function newAgents() {
  made += 1
  const [a, b] = [`a${made}`, `b${made}`]
  await agents.register(active(a, { owner: ANN.owner }), undefined)
  await agents.register(active(b, { owner: BOB.owner }), undefined)
  return { a, b }
}

const named = (id: string, change: Partial<NewNamedKey> = {}): NewNamedKey => ({
  id,
  name: `name of ${id}`,
  scopes: ['read'],
  networks: [],
  createdAt: AT,
  expiresAt: undefined,
  key: { digest: `digest of ${id}`, prefix: `prefix of ${id}` },
  ...change,
})

const add = (
  agentId: string,
  key: NewNamedKey,
  { most = 20, forgetBefore = 0, keptEnded = 9, scope = EVERYBODY as typeof EVERYBODY | typeof BOB } = {},
) => keys.add(scope, agentId, key, { step: TRANSITIONS.rotate, most, forgetBefore, keptEnded }, record)

/** When the key ends by its sealed row. null: never, 0: it has ended for good. */
async function endOf(agentId: string, digest: string): Promise<number | null | 'not ours' | 'gone'> {
  const row = await db.selectFrom('agent_keys').selectAll().where('digest', '=', digest).executeTakeFirst()
  if (!row) return 'gone'
  return isSealed(secrets, agentId, row) ? row.valid_until : 'not ours'
}

const rotate = (id: string, digest: string, graceEndsAt?: number) =>
  agents.replaceKey(EVERYBODY, id, {
    key: { digest, prefix: `prefix of ${digest}` },
    step: TRANSITIONS.rotate,
    now: AT,
    graceEndsAt,
  })

const revokeByKey = (digest: string, now: number) =>
  agents.revokeByKey(digest, { step: TRANSITIONS.revoke, now }, record)

test('the named keys of an agent are listed newest first, for its owner alone', async () => {
  const { a, b } = await newAgents()
  await add(a, named(`${a}1`, { createdAt: AT, expiresAt: AT + 9 }))
  await add(a, named(`${a}2`, { createdAt: AT }))
  await add(a, named(`${a}0`, { createdAt: AT + 1 }))
  await add(b, named(`${b}1`))
  assert.deepEqual(
    (await keys.list(ANN, a))?.map(({ id, expiresAt, revokedAt }) => [id, expiresAt, revokedAt]),
    [
      [`${a}0`, undefined, undefined],
      [`${a}2`, undefined, undefined],
      [`${a}1`, AT + 9, undefined],
    ],
  )
  const [only] = (await keys.list(BOB, b)) ?? []
  const { key: _key, ...shown } = named(`${b}1`)
  assert.deepEqual(only, { ...shown, prefix: `prefix of ${b}1`, lastUsedAt: undefined, revokedAt: undefined })
  assert.equal(await keys.list(BOB, a), undefined)
})

test('a key is added to an active agent of the scope while fewer than the maximum are valid', async () => {
  const { a, b } = await newAgents()
  assert.deepEqual(await add(a, named(`${a}0`), { scope: BOB }), { kind: 'not_found' })
  assert.deepEqual(await add(a, named(`${a}1`, { expiresAt: AT + 5 }), { most: 1 }), { kind: 'added' })
  assert.deepEqual(await add(a, named(`${a}2`, { createdAt: AT + 4 }), { most: 1 }), { kind: 'too_many' })
  assert.deepEqual(await add(a, named(`${a}3`, { createdAt: AT + 5 }), { most: 1 }), { kind: 'added' })
  assert.deepEqual(await add(a, named(`${a}4`, { createdAt: AT + 5 }), { most: 1 }), { kind: 'too_many' })
  await agents.revoke(EVERYBODY, b, TRANSITIONS.revoke, AT)
  assert.equal((await add(b, named(`${b}1`))).kind, 'refused')
})

test('adding a key deletes keys of this agent that ended before the given moment, with their last uses', async () => {
  const { a, b } = await newAgents()
  for (const agent of [a, b]) {
    for (const [id, expiresAt] of [
      ['old', AT + 1],
      ['new', AT + 2],
      ['none', undefined],
    ] as const)
      await add(agent, named(`${agent}${id}`, { expiresAt }))
    for (const [id, at] of [
      ['ended', AT + 1],
      ['late', AT + 2],
    ] as const) {
      await add(agent, named(`${agent}${id}`))
      await keys.revoke(EVERYBODY, agent, `${agent}${id}`, at, record)
    }
  }
  await db
    .insertInto('key_uses')
    .values({ key_id: `${a}old`, last_used_at: AT })
    .execute()
  await db.deleteFrom('agent_keys').where('id', '=', `${a}ended`).execute()
  const left = async (agent: string) => (await keys.list(EVERYBODY, agent))?.map(({ id }) => id).sort()
  await add(a, named(`${a}x`, { createdAt: AT + 3 }), { forgetBefore: AT + 2 })
  assert.deepEqual(await left(a), [`${a}late`, `${a}new`, `${a}none`, `${a}x`])
  assert.deepEqual(await db.selectFrom('key_uses').selectAll().execute(), [])
  assert.deepEqual(
    await left(b),
    ['ended', 'late', 'new', 'none', 'old'].map((id) => `${b}${id}`),
  )
  await add(b, named(`${b}x`, { createdAt: AT + 3 }), { forgetBefore: AT + 2 })
  assert.deepEqual(await left(b), [`${b}late`, `${b}new`, `${b}none`, `${b}x`])
})

test('adding a key deletes the oldest of too many ended keys, and none that is valid', async () => {
  const { a, b } = await newAgents()
  for (const agent of [a, b]) {
    await add(agent, named(`${agent}valid`))
    for (const at of [1, 2, 3]) {
      await add(agent, named(`${agent}${at}`, { createdAt: AT + at }))
      await keys.revoke(EVERYBODY, agent, `${agent}${at}`, AT + at, record)
    }
    await add(agent, named(`${agent}4`, { createdAt: AT + 4, expiresAt: AT + 5 }))
  }
  const left = async (agent: string) => (await keys.list(EVERYBODY, agent))?.map(({ id }) => id)
  await add(a, named(`${a}x`, { createdAt: AT + 5 }), { keptEnded: 2 })
  assert.deepEqual(await left(a), [`${a}x`, `${a}4`, `${a}3`, `${a}valid`])
  assert.equal((await left(b))?.length, 5)
})

test('revoking a named key ends only that key, for good; a repeat returns the first date', async () => {
  const { a, b } = await newAgents()
  for (const id of [`${a}1`, `${a}2`]) await add(a, named(id))
  takeMailed()
  assert.equal(await keys.revoke(BOB, a, `${a}1`, AT, record), undefined)
  assert.equal(await keys.revoke(EVERYBODY, b, `${a}1`, AT, record), undefined)
  assert.equal(await keys.revoke(ANN, a, `${a}3`, AT, record), undefined)
  assert.deepEqual(await keys.revoke(ANN, a, `${a}1`, AT + 7, record), { revokedAt: AT + 7 })
  assert.deepEqual(await keys.revoke(ANN, a, `${a}1`, AT + 8, record), { revokedAt: AT + 7 })
  assert.deepEqual(takeMailed(), [`prefix of ${a}1`])
  assert.equal(await endOf(a, `digest of ${a}1`), 0)
  assert.equal(await endOf(a, `digest of ${a}2`), null)
  assert.deepEqual(
    (await keys.list(ANN, a))?.map(({ id, revokedAt }) => [id, revokedAt]),
    [
      [`${a}2`, undefined],
      [`${a}1`, AT + 7],
    ],
  )
})

test('named keys end with their agent, unless they had ended before', async () => {
  const { a, b } = await newAgents()
  await add(a, named(`${a}1`))
  await add(a, named(`${a}2`, { expiresAt: AT + 5 }))
  await add(a, named(`${a}3`, { expiresAt: AT + 6 }))
  await add(b, named(`${b}1`))
  await agents.revoke(EVERYBODY, a, TRANSITIONS.revoke, AT + 5)
  const ends = async (agent: string) => (await keys.list(EVERYBODY, agent))?.map(({ revokedAt }) => revokedAt)
  assert.deepEqual(await ends(a), [AT + 5, undefined, AT + 5])
  assert.deepEqual(await ends(b), [undefined])
})

test('a replaced key works until its grace period ends, and only the one before the current key', async () => {
  const { a, b } = await newAgents()
  for (const agent of [a, b]) await rotate(agent, `second of ${agent}`, AT + 10)
  assert.equal(await endOf(a, `key of ${a}`), AT + 10)
  assert.equal(await endOf(a, `second of ${a}`), null)
  await rotate(a, `third of ${a}`)
  assert.equal(await endOf(a, `key of ${a}`), 'gone')
  assert.equal(await endOf(a, `second of ${a}`), 0)
  assert.equal(await endOf(a, `third of ${a}`), null)
  assert.equal(await endOf(b, `key of ${b}`), AT + 10)
  assert.equal(await endOf(b, `second of ${b}`), null)
})

test('a rotation gives no grace period to a key with a forged seal', async () => {
  const { a } = await newAgents()
  await db.updateTable('agent_keys').set({ mac: 'forged' }).where('digest', '=', `key of ${a}`).execute()
  await rotate(a, `second of ${a}`, AT + 10)
  assert.equal(await endOf(a, `key of ${a}`), 0)
})

test('the key in its grace period is listed, and only its owner can end it early', async () => {
  const { a, b } = await newAgents()
  for (const agent of [a, b]) await rotate(agent, `second of ${agent}`, AT + 10)
  const previousOf = async (ids: readonly string[], now: number) =>
    [...(await keys.previousOf(ids, now))].map(([id, { validUntil }]) => [id, validUntil])
  assert.deepEqual(await previousOf([], AT), [])
  assert.deepEqual(await previousOf([a], AT + 9), [[a, AT + 10]])
  assert.deepEqual(await previousOf([a, b], AT + 10), [])
  takeMailed()
  assert.equal(await keys.endPrevious(BOB, a, AT, record), undefined)
  assert.equal(await keys.endPrevious(ANN, a, AT + 10, record), undefined)
  assert.deepEqual(await keys.endPrevious(ANN, a, AT + 9, record), { revokedAt: AT + 9 })
  assert.deepEqual(await keys.endPrevious(ANN, a, AT + 11, record), { revokedAt: AT + 9 })
  assert.deepEqual(takeMailed(), [`prefix of ${a}`])
  assert.equal(await endOf(a, `key of ${a}`), 0)
  assert.equal(await endOf(b, `key of ${b}`), AT + 10)
  assert.deepEqual(await previousOf([a, b], AT), [[b, AT + 10]])
})

test('revoking by key ends the current primary key with its agent, and any other valid key alone', async () => {
  const { a, b } = await newAgents()
  await rotate(a, `second of ${a}`, AT + 10)
  for (const id of [`${a}1`, `${a}2`]) await add(a, named(id, { expiresAt: AT + 10 }))
  takeMailed()
  assert.equal(await revokeByKey('nobody’s', AT), undefined)
  assert.equal(await revokeByKey(`digest of ${a}1`, AT + 10), undefined)
  assert.equal((await revokeByKey(`digest of ${a}1`, AT + 9))?.storedStatus, 'active')
  assert.equal((await revokeByKey(`key of ${a}`, AT + 9))?.storedStatus, 'active')
  assert.deepEqual(takeMailed(), [`prefix of ${a}1`, `prefix of ${a}`])
  assert.equal(await endOf(a, `digest of ${a}1`), 0)
  assert.equal(await endOf(a, `digest of ${a}2`), AT + 10)
  assert.equal(await endOf(a, `key of ${a}`), 0)
  assert.equal(await endOf(a, `second of ${a}`), null)
  await db.updateTable('agent_keys').set({ mac: 'forged' }).where('digest', '=', `digest of ${a}2`).execute()
  assert.equal(await revokeByKey(`digest of ${a}2`, AT), undefined)
  assert.equal((await revokeByKey(`second of ${a}`, AT))?.storedStatus, 'revoked')
  assert.equal(await revokeByKey(`second of ${a}`, AT), undefined)
  assert.deepEqual(takeMailed(), [undefined])
  assert.equal((await agents.find(EVERYBODY, b))?.storedStatus, 'active')
})
