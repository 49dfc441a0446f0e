import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import type { ActionRecord } from '#ports/stores/agents.ts'
import type { Approval, NewApproval } from '#ports/stores/approvals.ts'
import type { Reservation } from '#ports/stores/reservations.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { silentLogger } from '../../../../../test/support/silent-logger.ts'
import { openSqliteOfFile } from '../../../../../test/support/sqlite-of-file.ts'
import { CLOCK_STEP_MS, DAY_MS } from '../../../../durations.ts'
import { openSecrets } from '../../../system/system-secrets.ts'
import { transferApprovals, useApproval } from './approval-changes.ts'
import { isSealedApproval, sealed } from './approval-seal.ts'
import { sqlApprovals } from './approvals.ts'

const NOW = Date.UTC(2026, 4, 17)
const EVERYBODY = { kind: 'everybody' } as const
const ANN = { kind: 'owner', owner: 'ann' } as const
const CHANGED = { code: 'forbidden', message: /changed outside of the service/ }

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const logged: string[] = []
const logger: Logger = { ...silentLogger, error: (text, error) => void logged.push(`${text} ${error}`) }
const store = await openSqliteOfFile()
beforeEach(() => {
  logged.length = 0
})

let agents = 0

/** An agent with a policy, and its store of approvals. */
async function newAgent(owner = 'ann') {
  agents += 1
  const id = `agt_${agents}`
  const row = { id, owner, name: '', type: 'bot', identity_tier: 'unverified', tier: 'free' }
  const times = { created_at: 0, verify_by: null, verified_at: null, rotated_at: null, revoked_at: null }
  const rest = { status: 'active', rpm: null, rpd: null, key_prefix: '', wallet_address: null, mac: null }
  const { no } = await store.db
    .insertInto('agents')
    .values({ ...row, ...times, ...rest, policy_revision: 1 })
    .returning('no')
    .executeTakeFirstOrThrow()
  const approvals = sqlApprovals({ db: store.db, queueByAgent: agentQueues(), secrets, logger })
  let asked = 0
  const ask = (hash: string, createdAt = NOW, mostWaiting = 9) => {
    asked += 1
    return approvals.ask(no, newApproval(`apr_${no}_${asked}`, hash, createdAt), {
      mostWaiting,
      notice: () => undefined,
    })
  }
  return {
    no,
    id,
    approvals,
    ask,
    askOrFail: async (hash: string, createdAt = NOW): Promise<Approval> =>
      (await ask(hash, createdAt)) ?? assert.fail('too many'),
    decide: (approvalId: string, state: 'approved' | 'refused', at = NOW, scope: Scope = EVERYBODY) =>
      approvals.decide(scope, id, approvalId, { state, at, by: { id: 'ann', role: 'user' } }, RECORD),
    use: (approvalId: string, change: Partial<Parameters<typeof useApproval>[3]> = {}, at = NOW) =>
      store.db
        .transaction()
        .execute((transaction) =>
          useApproval(
            transaction,
            { secrets, logger },
            no,
            { id: approvalId, wishHash: 'w', usableIn: ['approved'], ...change },
            reservationOf(approvalId, at),
          ),
        ),
    forge: (approvalId: string) =>
      store.db.updateTable('approvals').set({ reason: '{}' }).where('id', '=', approvalId).execute(),
  }
}

type Scope = Parameters<ReturnType<typeof sqlApprovals>['decide']>[0]

const newApproval = (id: string, hash: string, createdAt: number): NewApproval => ({
  id,
  wish: { network: 'sandbox', sender: undefined, items: [], hash },
  reason: { rule: 'approvalAbove', revision: 1, limit: 1n, actual: 2n },
  createdAt,
  expiresAt: createdAt + DAY_MS,
})

const reservationOf = (approvalId: string, at: number): Reservation => ({
  id: `rsv_${approvalId}`,
  intentId: `intent of ${approvalId}`,
  at,
  expiresAt: at,
  epoch: 1,
  sender: undefined,
  items: [],
  isSeen: false,
})

const RECORD: ActionRecord = {
  actions: ['approve-transaction'],
  at: 0,
  actor: { kind: 'user', id: 'ann', role: 'user' },
  truncatedAddress: '',
  via: 'rest',
  notice: () => undefined,
}

test('a change of any column is noticed', async () => {
  const { askOrFail } = await newAgent()
  const { id } = await askOrFail('w')
  const row = await store.db
    .selectFrom('approvals')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert(isSealedApproval(secrets, row))
  const other = (value: unknown) => (typeof value === 'number' ? value + 1 : value === null ? 1 : `${value}x`)
  for (const [column, value] of Object.entries(row))
    assert.equal(isSealedApproval(secrets, { ...row, [column]: other(value) }), false, column)
  assert.equal(isSealedApproval(secrets, { ...row, mac: null }), false)
  assert.notEqual(sealed(secrets, { ...row, state: 'approved' }).mac, row.mac)
})

test('an equal wish returns its usable approval, and only a limited number of approvals wait', async () => {
  const { ask, askOrFail, decide } = await newAgent()
  const first = await askOrFail('w')
  assert.deepEqual([first.no, first.state, first.decision], [1, 'waiting', undefined])
  assert.equal((await askOrFail('w')).id, first.id)
  assert.equal((await askOrFail('w', NOW + DAY_MS - 1)).id, first.id)
  assert.equal((await askOrFail('w', NOW - CLOCK_STEP_MS)).id, first.id)
  await decide(first.id, 'approved')
  assert.equal((await askOrFail('w')).id, first.id, 'also when it is approved')
  assert.equal((await ask('x', NOW, 1))?.no, 2, 'an approved one does not wait')
  assert.equal(await ask('y', NOW, 1), undefined)
  assert.equal(
    (await ask('w', NOW - CLOCK_STEP_MS - 1, 1))?.no,
    3,
    'one dated ahead of the clock cannot be used',
  )
  assert.equal((await ask('w', NOW + DAY_MS, 1))?.no, 4)
  assert.deepEqual(logged, [])
  const agent = await newAgent()
  const { id } = await agent.askOrFail('w')
  await agent.forge(id)
  assert.equal(
    (await agent.ask('w', NOW, 1))?.no,
    2,
    'a forged one is neither returned nor counted as waiting',
  )
})

test('a waiting approval is decided before it expires; an approved one may still be refused, and no other decision changes', async () => {
  const { id: agentId, approvals, askOrFail, decide } = await newAgent()
  const kinds = async (decided: ReturnType<typeof decide>) => {
    const outcome = await decided
    return 'approval' in outcome ? `${outcome.kind} ${outcome.approval.state}` : outcome.kind
  }
  const { id } = await askOrFail('w')
  assert.equal(await kinds(decide(id, 'approved', NOW + DAY_MS)), 'settled waiting')
  assert.equal(await kinds(decide(id, 'approved', NOW - CLOCK_STEP_MS - 1)), 'settled waiting')
  assert.equal(await kinds(decide(id, 'approved', NOW - CLOCK_STEP_MS)), 'decided approved')
  assert.equal(await kinds(decide(id, 'approved')), 'decided approved')
  assert.equal(await kinds(decide(id, 'refused', NOW + DAY_MS - 1)), 'decided refused')
  assert.equal(await kinds(decide(id, 'refused')), 'decided refused')
  assert.equal(await kinds(decide(id, 'approved')), 'settled refused')
  const read = await approvals.read(ANN, agentId, id)
  assert(read.kind === 'found')
  assert.deepEqual(read.approval.decision, { at: NOW + DAY_MS - 1, by: { id: 'ann', role: 'user' } })
  assert.equal(await kinds(decide('apr_none', 'approved')), 'no_approval')
  assert.equal(await kinds(decide(id, 'refused', NOW, { kind: 'owner', owner: 'eve' })), 'no_agent')
  const other = await askOrFail('x')
  await store.db.updateTable('agents').set({ status: 'revoked' }).where('id', '=', agentId).execute()
  assert.equal(await kinds(decide(other.id, 'approved')), 'revoked')
  assert.equal(await kinds(decide(other.id, 'refused')), 'decided refused')
  assert.deepEqual(logged, [])
})

test('an approval is used once, for its own wish, in the allowed states, before it expires', async () => {
  const { askOrFail, decide, use, approvals, no } = await newAgent()
  const { id } = await askOrFail('w')
  assert.equal(await use(id), false)
  await decide(id, 'approved')
  assert.equal(await use('apr_none'), false)
  assert.equal(await use(id, { wishHash: 'x' }), false)
  assert.equal(await use(id, { usableIn: ['waiting'] }), false)
  assert.equal(await use(id, {}, NOW + DAY_MS), false)
  assert.equal(await use(id, {}, NOW - CLOCK_STEP_MS - 1), false)
  assert.equal(await use(id, {}, NOW - CLOCK_STEP_MS), true)
  assert.equal(await use(id), false)
  const { state, intentId } = (await approvals.find(no, id)) ?? assert.fail()
  assert.deepEqual([state, intentId], ['used', `intent of ${id}`])
  const waiting = await askOrFail('y')
  assert.equal(
    await use(waiting.id, { wishHash: 'y', usableIn: ['approved', 'waiting'] }, NOW + DAY_MS - 1),
    true,
  )
  assert.deepEqual(logged, [])
})

test('an approval with a reservation is not used again, whatever its row says', async () => {
  const { askOrFail, decide, use, no } = await newAgent()
  const { id } = await askOrFail('w')
  await decide(id, 'approved')
  const { isSeen: _, intentId, expiresAt, ...reservation } = reservationOf(id, NOW)
  const row = { ...reservation, intent_id: intentId, expires_at: expiresAt, sender: null, items: '[]' }
  await store.db
    .insertInto('reservations')
    .values({ ...row, agent_no: no })
    .execute()
  await assert.rejects(use(id), CHANGED)
  assert.match(logged.join(), /is ignored .*something was built with it before/)
})

test('a forged approval is refused by its id and left out of lists, whose pages are still full', async () => {
  const { id: agentId, no, approvals, askOrFail, decide, use, forge } = await newAgent('bob')
  const made: Approval[] = []
  for (const hash of ['a', 'b', 'c', 'd', 'e']) made.push(await askOrFail(hash))
  const page = async (limit: number, before?: number) =>
    (await approvals.list(EVERYBODY, agentId, { before, limit }))?.map((one) => one.no)
  assert.deepEqual(
    [await page(2), await page(2, 4), await page(9)],
    [
      [5, 4],
      [3, 2],
      [5, 4, 3, 2, 1],
    ],
  )
  for (const one of [made[1], made[3]]) await forge(one?.id ?? '')
  assert.deepEqual(
    [await page(2), await page(3), await page(1, 5), await page(9, 3)],
    [[5, 3], [5, 3, 1], [3], [1]],
  )
  assert.equal(
    await approvals.list({ kind: 'owner', owner: 'eve' }, agentId, { before: undefined, limit: 1 }),
    undefined,
  )
  const waiting = async (limit: number, after?: string) => {
    const found = await approvals.listByState(
      { kind: 'owner', owner: 'bob' },
      { state: 'waiting', now: NOW, after, limit },
    )
    return [found?.approvals.map((one) => one.no), found?.isLast]
  }
  assert.deepEqual(
    [await waiting(9), await waiting(3), await waiting(2), await waiting(1), await waiting(1, made[4]?.id)],
    [
      [[5, 3, 1], true],
      [[5, 3, 1], true],
      [[5, 3], false],
      [[5], false],
      [[3], false],
    ],
  )
  const { id } = made[1] ?? assert.fail()
  logged.length = 0
  for (const named of [
    () => approvals.find(no, id),
    () => approvals.read(EVERYBODY, agentId, id),
    () => decide(id, 'approved'),
    () => use(id, { wishHash: 'b', usableIn: ['waiting'] }),
  ])
    await assert.rejects(named, CHANGED)
  assert.equal(logged.length, 4)
  assert.match(logged.join(), /its MAC does not match its content/)
})

test('a moved approval stays valid only if it was, and a read at its old agent names the new one', async () => {
  const [from, to] = [await newAgent(), await newAgent()]
  const [good, bad] = [await from.askOrFail('w'), await from.askOrFail('x')]
  await from.decide(good.id, 'approved')
  await from.forge(bad.id)
  await store.db
    .transaction()
    .execute((transaction) => transferApprovals(transaction, secrets, from.no, to.no))
  assert.equal((await to.approvals.find(to.no, good.id))?.state, 'approved')
  await assert.rejects(to.approvals.find(to.no, bad.id), CHANGED)
  const read = (scope: Scope) => from.approvals.read(scope, from.id, good.id)
  assert.deepEqual(await read(ANN), { kind: 'no_approval', movedTo: to.id })
  await store.db.updateTable('agents').set({ owner: 'eve' }).where('no', '=', to.no).execute()
  assert.deepEqual(await read(ANN), { kind: 'no_approval', movedTo: undefined })
  assert.deepEqual(await read(EVERYBODY), { kind: 'no_approval', movedTo: to.id })
})
