import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import type { MovedSums, Reservation, WindowPart } from '#ports/stores/reservations.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { agentWithPolicy, RECORD } from '../../../../../../test/policy/agent-with-policy.ts'
import { runs } from '../../../../../../test/support/repetitions.ts'
import { silentLogger } from '../../../../../../test/support/silent-logger.ts'
import { openSqliteOfFile } from '../../../../../../test/support/sqlite-of-file.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../../durations.ts'
import { openSecrets } from '../../../../system/system-secrets.ts'
import { isSealedAgent } from '../../keys/agent-seal.ts'
import { sqlPolicies } from '../policies.ts'
import { sqlReservations } from '../reservations.ts'
import { beginSums } from './booking.ts'
import { ledgerSeal, type ReservationRow } from './ledger-seal.ts'
import { isWholeLedger } from './whole-ledger.ts'
import { reservationParts } from './window-path.ts'

const NOW = Date.UTC(2026, 4, 17, 12, 34, 56, 789)
/** The chain's largest amount: the sum of two exceeds any integer column. */
const MOST = 2n ** 64n - 1n

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const seal = ledgerSeal(secrets)
const store = await openSqliteOfFile()

const actions = ['stake', 'unstake', 'withdraw', 'join'] as const
const item = fc.record({
  action: fc.constantFrom(...actions),
  validatorId: fc.constant('0x1'),
  amount: fc.oneof(fc.constant(MOST), fc.bigInt({ min: 1n, max: 1_000n })),
  token: fc.constant(undefined),
  alike: fc.constant(undefined),
})
/** Ages, including all edges at which a window may begin. */
const ago = fc.oneof(
  fc.nat(40 * 24 * 60).map((minutes) => minutes * MINUTE_MS),
  fc.constantFrom(
    0,
    1,
    56_789,
    56_790,
    HOUR_MS - 1,
    HOUR_MS,
    HOUR_MS + 1,
    DAY_MS,
    30 * DAY_MS,
    30 * DAY_MS - 1,
  ),
)
const built = fc.record({
  ago,
  epoch: fc.integer({ min: 1, max: 3 }),
  items: fc.array(item, { minLength: 1, maxLength: 3 }),
  fate: fc.constantFrom('counts', 'freed', 'seen'),
})

const newAgent = () => agentWithPolicy(store.db, secrets)

const movedBy = (all: readonly Reservation[]): MovedSums => {
  const sums = { stake: 0n, unstake: 0n, withdraw: 0n, join: 0n }
  for (const { items } of all) for (const { action, amount } of items) sums[action] += amount
  return sums
}

const PART: WindowPart = {
  spans: {
    hour: { since: NOW - HOUR_MS },
    day: { since: NOW - DAY_MS },
    '30days': { since: NOW - 30 * DAY_MS },
    first: { epoch: 1 },
    second: { epoch: 2 },
    newest: { epoch: 3 },
    later: { epoch: 4 },
  },
  builtSince: NOW - 15 * MINUTE_MS,
  latest: NOW,
}

type Drawn = {
  readonly ago: number
  readonly epoch: number
  readonly items: Reservation['items']
  readonly fate: string
}

/** Reserves them, then releases or marks each as drawn. Returns those that count. */
async function reserveDrawn(no: number, drawn: readonly Drawn[]) {
  const reservations = sqlReservations({
    db: store.db,
    queueByAgent: agentQueues(),
    secrets,
    logger: silentLogger,
  })
  const all = drawn.map(({ ago: since, epoch, items }, at): Reservation & { fate: string } => ({
    id: `rsv_${no}_${at}`,
    intentId: `${at}`,
    at: NOW - since,
    expiresAt: NOW - since,
    epoch,
    sender: undefined,
    items,
    isSeen: false,
    fate: drawn[at]?.fate ?? '',
  }))
  for (const { fate: _, ...one } of all) {
    const outcome = await reservations.reserve(no, { policyRevision: 1, part: PART, place: () => one })
    assert.equal(outcome.kind, 'reserved')
  }
  const ids = (fate: string) => all.filter((one) => one.fate === fate).map(({ id }) => id)
  await reservations.markSeen(
    no,
    ids('seen').map((id) => ({ id, madeIds: [] })),
  )
  await reservations.release(no, [...ids('freed'), ...ids('seen')])
  return { reservations, counting: all.filter(({ fate }) => fate !== 'freed') }
}

test('every window is the exact sum of the reservations that count in it, after any releases', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(built, { maxLength: 12 }), async (drawn) => {
      const no = await newAgent()
      const { reservations, counting } = await reserveDrawn(no, drawn)
      const { moved, built: recent, needsRedating } = await reservations.windowUse(no, PART)
      for (const [name, span] of Object.entries(PART.spans)) {
        const inSpan = counting.filter((one) =>
          'since' in span ? one.at > span.since : one.epoch >= span.epoch,
        )
        assert.deepEqual(moved[name], movedBy(inSpan), name)
      }
      assert.deepEqual(
        recent.map(({ id }) => id).toSorted(),
        counting
          .filter(({ at }) => at > NOW - 15 * MINUTE_MS)
          .map(({ id }) => id)
          .toSorted(),
      )
      assert.equal(needsRedating, false)
      assert(await isWholeLedger({ db: store.db, seal, agentNo: no }))
    }),
    runs(15),
  )
})

/** The first and last milliseconds of the minute, hour and day in which a window begins, and the next one. */
const edgesOf = (since: number): readonly number[] =>
  [MINUTE_MS, HOUR_MS, DAY_MS].flatMap((width) => {
    const from = Math.floor(since / width) * width
    return [from, from + width - 1, from + width]
  })

test('every window is the exact sum for reservations at the edges of its days, hours and minutes', async () => {
  const no = await newAgent()
  const windows = Object.entries(PART.spans).flatMap(([name, span]) =>
    'since' in span ? [{ name, since: span.since }] : [],
  )
  const edges = windows.flatMap(({ since }) => [since - 1, since, since + 1, ...edgesOf(since)])
  const drawn = [...new Set(edges.filter((at) => at <= NOW))].map((at, index) => {
    const one = { action: 'stake', validatorId: '0x1', token: undefined, alike: undefined } as const
    return { ago: NOW - at, epoch: 1, items: [{ ...one, amount: 2n ** BigInt(index) }], fate: 'counts' }
  })
  const { reservations, counting } = await reserveDrawn(no, drawn)
  for (const { name, since } of windows) {
    const oldestFirst = counting.filter(({ at }) => at > since).toSorted((a, b) => a.at - b.at)
    const windowUse = await reservations.windowUse(no, { ...PART, builtSince: since })
    assert.deepEqual(windowUse.moved[name], movedBy(oldestFirst))
    assert.deepEqual(
      windowUse.built.map(({ id }) => id),
      oldestFirst.map(({ id }) => id),
    )
    let amount = 0n
    for (const { at, items } of oldestFirst) {
      amount += items[0]?.amount ?? 0n
      assert.equal(await reservations.leavesAt(no, { since, actions: ['stake'], amount, without: [] }), at)
    }
    const more = { since, actions: ['stake'], amount: amount + 1n, without: [] }
    assert.equal(await reservations.leavesAt(no, more), undefined)
  }
})

test('reservations are sorted oldest first, in whatever order they are read', () => {
  const row = { id: '', intent_id: '', agent_no: 1, expires_at: 0, epoch: 1, sender: null, items: '[]' }
  const rest = { later_at: null, state: 'counts', mac: null }
  const parts = reservationParts([3, 1, 2].map((at) => ({ ...row, ...rest, at })))
  assert.deepEqual(
    parts.map(({ at }) => at),
    [1, 2, 3],
  )
})

test('as many sums as one statement writes, and one more, are all written', async () => {
  const day = Math.floor(NOW / DAY_MS) * DAY_MS
  for (const more of [1, 2]) {
    const no = await newAgent()
    // One row for the total, three for each day, and one for each further minute.
    const moments = [
      ...Array.from({ length: 66 }, (_, days) => day - days * DAY_MS),
      ...Array.from({ length: more }, (_, minutes) => day + (minutes + 1) * MINUTE_MS),
    ]
    const entries = moments.map((at) => ({ at, epoch: 1, moved: movedBy([]) }))
    await store.db
      .transaction()
      .execute((transaction) => beginSums(transaction, { seal, agentNo: no }, entries))
    const rows = await store.db.selectFrom('reserved_sums').selectAll().where('agent_no', '=', no).execute()
    assert.equal(rows.length, 199 + more)
  }
})

test('a forged reservation of the next minute does not keep one of this minute from its release', async () => {
  const no = await newAgent()
  const minute = Math.floor(NOW / MINUTE_MS) * MINUTE_MS - 2 * MINUTE_MS
  const one = { epoch: 1, items: [], fate: 'counts' }
  const drawn = [minute, minute + MINUTE_MS - 1, minute + MINUTE_MS].map((at) => ({ ...one, ago: NOW - at }))
  const { reservations, counting } = await reserveDrawn(no, drawn)
  const [first, , next] = counting
  await store.db
    .updateTable('reservations')
    .set({ sender: 'eve' })
    .where('id', '=', next?.id ?? '')
    .execute()
  await reservations.release(no, [first?.id ?? ''])
  await assert.rejects(reservations.release(no, [next?.id ?? '']), { code: 'forbidden' })
})

test('the date at which an amount has left a window is the same as by a scan of all reservations', async () => {
  const asked = fc.record({
    share: fc.integer({ min: 1, max: 100 }),
    of: fc.subarray([...actions], { minLength: 1 }),
    skipped: fc.uniqueArray(fc.nat(11)).map((places) => new Set(places)),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(built, { minLength: 1, maxLength: 12 }),
      asked,
      async (drawn, { share, of, skipped }) => {
        const no = await newAgent()
        const { reservations, counting } = await reserveDrawn(no, drawn)
        const since = NOW - 30 * DAY_MS
        const inWindow = counting.filter(({ at }) => at > since).toSorted((a, b) => a.at - b.at)
        const amountOf = (one: Reservation) =>
          one.items.reduce((sum, { action, amount }) => (of.includes(action) ? sum + amount : sum), 0n)
        const without = inWindow.filter((_, at) => skipped.has(at))
        const others = inWindow.filter((_, at) => !skipped.has(at))
        const total = others.reduce((sum, one) => sum + amountOf(one), 0n)
        const amount = (total * BigInt(share)) / 100n + 1n
        let left = 0n
        const expected = others.find((one) => {
          left += amountOf(one)
          return left >= amount
        })
        assert.equal(await reservations.leavesAt(no, { since, actions: of, amount, without }), expected?.at)
      },
    ),
    runs(15),
  )
})

test('an excluded reservation is subtracted from its own day, hour and minute, and from no other', async () => {
  const day = Math.floor(NOW / DAY_MS) * DAY_MS - 9 * DAY_MS
  const stake = {
    action: 'stake',
    validatorId: '0x1',
    amount: 10n,
    token: undefined,
    alike: undefined,
  } as const
  for (const [skippedAt, at] of [
    [day, day + DAY_MS],
    [day + DAY_MS, day + DAY_MS - 1],
  ] as const) {
    const no = await newAgent()
    const drawn = [skippedAt, at].map((of) => ({ ago: NOW - of, epoch: 1, items: [stake], fate: 'counts' }))
    const { reservations, counting } = await reserveDrawn(no, drawn)
    const leaving = {
      since: NOW - 30 * DAY_MS,
      actions: ['stake'],
      amount: 10n,
      without: counting.slice(0, 1),
    }
    assert.equal(await reservations.leavesAt(no, leaving), at)
  }
})

test('a reservation dated ahead is dated anew, and counts by its new date', async () => {
  const no = await newAgent()
  const one = {
    epoch: 1,
    items: [{ action: 'stake', validatorId: '', amount: MOST, token: undefined, alike: undefined }],
  } as const
  const drawn = [-DAY_MS, -1, 0, 2 * HOUR_MS].map((since) => ({ ...one, ago: since, fate: 'counts' }))
  const { reservations } = await reserveDrawn(no, drawn)
  assert.equal((await reservations.windowUse(no, PART)).needsRedating, true)
  await reservations.redate(no, NOW, NOW - HOUR_MS)
  const { needsRedating, moved } = await reservations.windowUse(no, PART)
  assert.deepEqual([needsRedating, moved['hour']?.stake, moved['day']?.stake], [false, MOST, 4n * MOST])
  assert(await isWholeLedger({ db: store.db, seal, agentNo: no }))
})

test('a reservation dated ahead gets its own date back when the clock reaches it, not before, and is dated anew once', async () => {
  const no = await newAgent()
  const { reservations } = await reserveDrawn(no, [{ ...STAKE, ago: -HOUR_MS, fate: 'counts' }])
  const dates = async () => {
    const row = await store.db
      .selectFrom('reservations')
      .selectAll()
      .where('agent_no', '=', no)
      .executeTakeFirst()
    return [row?.at, row?.later_at]
  }
  await reservations.redate(no, NOW, NOW)
  assert.deepEqual(await dates(), [NOW, NOW + HOUR_MS])
  await reservations.redate(no, NOW, NOW - HOUR_MS)
  assert.deepEqual(await dates(), [NOW, NOW + HOUR_MS], 'a row dated at the clock stays')
  const needsRedating = async (latest: number | undefined) =>
    (await reservations.windowUse(no, { ...PART, latest })).needsRedating
  assert.equal(await needsRedating(NOW + HOUR_MS - 1), false)
  assert.equal(await needsRedating(NOW + HOUR_MS), true)
  assert.equal(await needsRedating(undefined), false)
  await reservations.redate(no, NOW + HOUR_MS - 1, NOW)
  assert.deepEqual(await dates(), [NOW, NOW + HOUR_MS])
  await reservations.redate(no, NOW + HOUR_MS, NOW)
  assert.deepEqual(await dates(), [NOW + HOUR_MS, null])
  assert(await isWholeLedger({ db: store.db, seal, agentNo: no }))
})

const STAKE = {
  epoch: 1,
  items: [{ action: 'stake', validatorId: '', amount: 5n, token: undefined, alike: undefined }],
} as const
const OUTSIDE = { code: 'forbidden', message: /changed outside/ }
const updateRows = (no: number) => store.db.updateTable('reservations').where('agent_no', '=', no)
const deleteSums = (no: number) => store.db.deleteFrom('reserved_sums').where('agent_no', '=', no)

test('a window whose parts do not add up is refused, on every level', async () => {
  const drawn = [1, HOUR_MS - 1, DAY_MS - 1, 30 * DAY_MS - 1].map((since) => ({
    ...STAKE,
    ago: since,
    fate: 'counts',
  }))
  for (const level of [0, 1, 2, 3]) {
    const no = await newAgent()
    const { reservations } = await reserveDrawn(no, drawn)
    await deleteSums(no).where('level', '=', level).execute()
    await assert.rejects(reservations.windowUse(no, PART), OUTSIDE, `level ${level}`)
    assert.equal(await isWholeLedger({ db: store.db, seal, agentNo: no }), false)
  }
  for (const change of [
    { items: '[]' },
    { state: 'free' },
    { at: NOW - 31 * DAY_MS },
    { sender: 'eve' },
    { mac: null },
  ]) {
    const no = await newAgent()
    const { reservations } = await reserveDrawn(no, drawn)
    await updateRows(no).set(change).execute()
    await assert.rejects(reservations.windowUse(no, PART), OUTSIDE, JSON.stringify(change))
    assert.equal(await isWholeLedger({ db: store.db, seal, agentNo: no }), false)
  }
})

test('the date at which an amount leaves is refused if what it is found by does not add up, on every level', async () => {
  const ago = [HOUR_MS, 3 * HOUR_MS, 9 * DAY_MS]
  const drawn = ago.map((since) => ({ ...STAKE, ago: since, fate: 'counts' }))
  const leaving = { since: NOW - 30 * DAY_MS, actions: ['stake'], amount: 6n, without: [] }
  const forgeries: ((no: number) => { execute(): Promise<unknown> })[] = [
    ...[0, 1, 2, 3].map((level) => (no: number) => deleteSums(no).where('level', '=', level)),
    ...[{ items: '[]' }, { state: 'free' }, { sender: 'eve' }, { mac: null }].map(
      (change) => (no: number) => updateRows(no).set(change),
    ),
    (no) =>
      store.db
        .updateTable('reserved_sums')
        .set({ mac: '' })
        .where('agent_no', '=', no)
        .where('level', '=', 3),
  ]
  for (const [at, forge] of forgeries.entries()) {
    const no = await newAgent()
    const { reservations } = await reserveDrawn(no, drawn)
    assert.equal(await reservations.leavesAt(no, leaving), NOW - 3 * HOUR_MS)
    await forge(no).execute()
    await assert.rejects(reservations.leavesAt(no, leaving), OUTSIDE, `forgery ${at}`)
  }
})

test('a released row put back is not released twice, and a forged ledger is neither released from nor dated anew', async () => {
  const no = await newAgent()
  const drawn = [
    { ...STAKE, ago: 1, fate: 'counts' },
    { ...STAKE, ago: -1, fate: 'counts' },
  ]
  const { reservations, counting } = await reserveDrawn(no, drawn)
  const [first, second] = counting.map(({ id }) => id)
  const kept = await store.db
    .selectFrom('reservations')
    .selectAll()
    .where('id', '=', first ?? '')
    .executeTakeFirstOrThrow()
  const stateOf = async (id = '') => {
    const row = await store.db.selectFrom('reservations').selectAll().where('id', '=', id).executeTakeFirst()
    return row?.state
  }
  await reservations.release(no, [first ?? ''])
  assert.equal(await stateOf(first), 'free')
  await reservations.release(no, [first ?? ''])
  assert.equal((await reservations.windowUse(no, PART)).moved['hour']?.stake, 5n)
  await updateRows(no)
    .set(kept)
    .where('id', '=', first ?? '')
    .execute()
  await assert.rejects(reservations.release(no, [second ?? '']), OUTSIDE)
  await assert.rejects(reservations.redate(no, NOW, NOW), OUTSIDE)
  await updateRows(no)
    .set({ ...kept, items: '[]' })
    .where('id', '=', first ?? '')
    .execute()
  await reservations.markSeen(no, [{ id: first ?? '', madeIds: [] }])
  assert.equal(await stateOf(first), 'counts', 'a forged row gets no mark')
  assert.equal(await stateOf(second), 'counts')
  await reservations.markSeen(no, [{ id: second ?? '', madeIds: [] }])
  assert.equal(await stateOf(second), 'seen')
  await assert.rejects(reservations.windowUse(no, PART), OUTSIDE)
})

test('a forged reservation explains nothing that the chain shows, and its transaction cannot be released', async () => {
  const no = await newAgent()
  const { reservations } = await reserveDrawn(no, [])
  const place = (id: string): Reservation => ({
    id: `${id}_${no}`,
    intentId: id,
    at: NOW,
    expiresAt: NOW,
    epoch: 1,
    sender: `sender ${no}`,
    items: [],
    isSeen: false,
  })
  for (const id of ['own', 'forged'])
    await reservations.reserve(no, { policyRevision: 1, part: PART, place: () => place(id) })
  await updateRows(no).set({ epoch: 2 }).where('intent_id', '=', 'forged').execute()
  assert.deepEqual(
    (await reservations.unseen(`sender ${no}`)).map(({ intentId }) => intentId),
    ['own'],
  )
  assert.equal((await reservations.ofIntent(no, 'own')).length, 1)
  await assert.rejects(reservations.ofIntent(no, 'forged'), OUTSIDE)
})

test('an agent with thousands of unseen reservations does not crowd out the others', async () => {
  const no = await newAgent()
  const { reservations } = await reserveDrawn(no, [])
  const times = {
    at: NOW - 1,
    expires_at: NOW,
    epoch: 1,
    sender: 'me',
    state: 'counts',
  }
  const items = JSON.stringify([{ action: 'stake', validatorId: '', amount: '5' }])
  const insert = async (row: Omit<ReservationRow, 'mac' | 'later_at'>) => {
    const dated = { ...row, later_at: null }
    const mac = seal.sealReservation(dated)
    await store.db
      .insertInto('reservations')
      .values({ ...dated, mac })
      .execute()
  }
  for (let at = 0; at < 1_200; at += 1)
    await insert({ id: `old_${no}_${at}`, intent_id: `${at}`, agent_no: no, items, ...times })
  assert.equal((await reservations.unseen('me')).length, 1_000)
  // The list includes another agent's older reservation, and its sender despite thousands of others.
  const other = await newAgent()
  const row = { ...times, agent_no: other, intent_id: 'x', items }
  const olds = { ...row, id: `other_${other}`, expires_at: NOW - 1 }
  await insert(olds)
  assert((await reservations.unseen('me')).some(({ id }) => id === olds.id))
  for (let at = 0; at < 1_100; at += 1)
    await insert({ ...row, agent_no: no, id: `flood_${no}_${at}`, sender: `s${at}` })
  await insert({ ...row, id: `last_${other}`, sender: 'victim', expires_at: NOW + 1_000 })
  assert((await reservations.unseenSenders(NOW - 10)).includes('victim'))
})

test('replaced revisions stay in force until their delay ends, and a forged one is refused', async () => {
  const no = await newAgent()
  const readAgent = () =>
    store.db.selectFrom('agents').selectAll().where('no', '=', no).executeTakeFirstOrThrow()
  const { id } = await readAgent()
  const policies = sqlPolicies({ db: store.db, secrets, logger: silentLogger })
  for (const replaces of [1, 2, 3]) {
    const document = { rules: [], loosenAfterSeconds: replaces === 2 ? 0 : 100 }
    await policies.write(
      { kind: 'everybody' },
      id,
      { document, hash: '', changedAt: 1_000, changedBy: { id: 'ann', role: 'user' }, replaces },
      RECORD,
    )
  }
  const held = async (now: number, revision = 4) =>
    (await policies.held(no, { now, revision })).map((each) => each.revision)
  const agent = await readAgent()
  assert(isSealedAgent(secrets, agent, agent.mac), 'the row of the agent has the revision under its seal')
  assert.deepEqual(await held(999), [4, 3, 2, 1])
  assert.deepEqual(await held(1_000), [4, 2])
  assert.deepEqual(await held(101_000), [4])
  await assert.rejects(held(0, 5), OUTSIDE)
  await store.db
    .updateTable('policies')
    .set({ hash: 'x' })
    .where('agent_no', '=', no)
    .where('revision', '=', 4)
    .execute()
  await assert.rejects(held(0), OUTSIDE)
})

test('503: a revision is not written if the database undoes the end of its predecessor', async () => {
  const no = await newAgent()
  const { id } = await store.db
    .selectFrom('agents')
    .select('id')
    .where('no', '=', no)
    .executeTakeFirstOrThrow()
  const policies = sqlPolicies({ db: store.db, secrets, logger: silentLogger })
  const write = (replaces: number) =>
    policies.write(
      { kind: 'everybody' },
      id,
      {
        document: { rules: [], loosenAfterSeconds: 0 },
        hash: '',
        changedAt: 1_000,
        changedBy: { id: 'ann', role: 'user' },
        replaces,
      },
      RECORD,
    )
  await write(1)
  await sql`create trigger back after update of holds_until on policies begin
    update policies set holds_until = null where agent_no = new.agent_no and revision = new.revision; end`.execute(
    store.db,
  )
  await assert.rejects(write(2), { code: 'store_not_ready' })
  await sql`drop trigger back`.execute(store.db)
  await write(2)
})

test('each sum stores the number of its reservations', async () => {
  const no = await newAgent()
  const drawn = Array.from({ length: 3 }, (): Drawn => ({ ago: 0, epoch: 1, items: [], fate: 'counts' }))
  await reserveDrawn(no, drawn)
  const rows = await store.db
    .selectFrom('reserved_sums')
    .select('entries')
    .where('agent_no', '=', no)
    .execute()
  assert.deepEqual(
    rows.map(({ entries }) => entries),
    rows.map(() => 3),
  )
})

test('a reservation at the end of a minute is released beside one at the beginning of the next', async () => {
  const no = await newAgent()
  const { reservations } = await reserveDrawn(no, [
    { ...STAKE, ago: 56_790, fate: 'freed' },
    { ...STAKE, ago: 56_789, fate: 'counts' },
  ])
  assert.equal((await reservations.windowUse(no, PART)).moved['hour']?.stake, 5n)
})
