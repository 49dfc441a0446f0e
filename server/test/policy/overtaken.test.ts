import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sqlPolicies } from '#adapters/sql/stores/policy/policies.ts'
import { sqlReservations } from '#adapters/sql/stores/policy/reservations.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { admitTransactions } from '#domain/policy/admit-transaction.ts'
import { policiesInForce } from '#domain/policy/policies-in-force.ts'
import { markExecuted } from '#domain/policy/reservations/mark-executed.ts'
import { releaseReservation } from '#domain/policy/reservations/release-reservation.ts'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import type { Reservation } from '#ports/stores/reservations.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { MINUTE_MS } from '../../src/durations.ts'
import { stakedToken } from '../support/sample-network.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { openSqliteOfFile } from '../support/sqlite-of-file.ts'
import { testClock } from '../support/test-clock.ts'
import { agentWithPolicy } from './agent-with-policy.ts'
import { planned } from './reservation-world.ts'

/** Races between requests: another request commits between the chain read and the write of the first. */

const { db } = await openSqliteOfFile()
const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const logger = silentLogger
const policies = sqlPolicies({ db, secrets, logger })
const reservations = sqlReservations({ db, queueByAgent: agentQueues(), secrets, logger })
const clock = testClock()
const START = clock.now()
const deadline = AbortSignal.timeout(600_000)

const newAgent = (id: string, rules: readonly PolicyRule[] = []): Promise<number> =>
  agentWithPolicy(db, secrets, {
    id,
    document: {
      rules: [{ rule: 'actions', allow: ['stake', 'unstake'] }, ...rules],
      loosenAfterSeconds: 0,
    },
  })

async function reserve(no: number, one: Pick<Reservation, 'id' | 'at' | 'sender' | 'items'>) {
  const reservation = { ...one, intentId: one.id, expiresAt: one.at, epoch: 1, isSeen: false }
  const part = { spans: {}, builtSince: undefined, latest: undefined }
  const { kind } = await reservations.reserve(no, { policyRevision: 1, part, place: () => reservation })
  assert.equal(kind, 'reserved')
}

const STAKE = { action: 'stake', validatorId: 'v', amount: 9n, token: undefined, alike: undefined } as const

/** Reserves two identical stakes, the second one millisecond later. */
async function reserveTwo(no: number, sender: string) {
  await reserve(no, { id: `${sender} 1`, at: START, sender, items: [STAKE] })
  await reserve(no, { id: `${sender} 2`, at: START + 1, sender, items: [STAKE] })
}

/** A chain that shows these tokens; `before` runs while it is being read. */
const chainAfter = (tokens: readonly StakedToken[], before: () => Promise<unknown> = async () => {}) => ({
  stakedTokensOf: async () => {
    await before()
    return tokens
  },
})

test('two looks at the chain that overlap give each of two equal stakes its own token', async () => {
  const sender = 'looked at twice'
  const no = await newAgent(sender)
  await reserveTwo(no, sender)
  const [first, second] = [stakedToken('first', 'v', 9n), stakedToken('second', 'v', 9n)]
  const lookEarlier = markExecuted({ reservations, chain: chainAfter([first]) })
  const look = markExecuted({
    reservations,
    chain: chainAfter([first, second], () => lookEarlier(sender, deadline)),
  })
  await look(sender, deadline)
  const seen = await reservations.shown(no, ['first', 'second'])
  const made = seen.flatMap(({ items }) => items.map(({ madeId }) => madeId))
  assert.deepEqual(made.toSorted(), ['first', 'second'])
})

test('a release succeeds when another release of the same reservation commits first', async () => {
  const sender = 'released twice'
  const no = await newAgent(sender)
  await reserveTwo(no, sender)
  const tokens = [stakedToken('only', 'v', 9n)]
  await markExecuted({ reservations, chain: chainAfter(tokens) })(sender, deadline)
  clock.advance(60 * MINUTE_MS)
  const release = (before?: () => Promise<unknown>) =>
    releaseReservation({ reservations, chain: chainAfter(tokens, before), clock })(
      { no, policyRevision: 1 },
      `${sender} 2`,
      deadline,
    )
  let isOvertaken = false
  await release(async () => {
    if (isOvertaken) return
    isOvertaken = true
    await release()
  })
  assert(isOvertaken)
  assert.deepEqual(
    (await reservations.ofIntent(no, `${sender} 2`)).map(({ isReleased }) => isReleased),
    [true],
  )
})

test('an unstake that is seen on the chain only after a build has read it counts as pending for that build', async () => {
  const sender = 'unstakes beside'
  const no = await newAgent(sender, [{ rule: 'maxShare', share: 0.5 }])
  const [large, small] = [stakedToken('large', 'a', 80n), stakedToken('small', 'b', 20n)]
  const unstake = { validatorId: 'a', amount: 80n, token: { id: 'large', principal: 80n } }
  await reserve(no, {
    id: `${sender} 1`,
    at: clock.now(),
    sender,
    items: [{ action: 'unstake', ...unstake, alike: undefined }],
  })
  const look = markExecuted({ reservations, chain: chainAfter([small]) })
  const admit = admitTransactions({
    inForce: policiesInForce({ policies }),
    reservations: {
      ...reservations,
      reserve: async (...terms) => {
        await look(sender, deadline)
        return reservations.reserve(...terms)
      },
    },
    chain: chainAfter([large, small]),
    chainEpoch: () => undefined,
    clock,
    secrets: { newReservationId: () => `${sender} 2` },
    approve: () => assert.fail('no approval is needed'),
  })
  const now = clock.now()
  const stake = planned(sender, { validatorId: 'b', amount: 30n, epoch: 1, epochStartedAt: now })
  const build = async () => {
    const allowed = await admit({ no, policyRevision: 1 }, stake, deadline)
    await allowed?.reserve?.('intent', now + MINUTE_MS)
  }
  await assert.rejects(build(), { code: 'forbidden', message: /maxShare/ })
})
