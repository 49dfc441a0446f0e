import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command, StakingAction } from '#ports/chain/staking-chain.ts'
import { EPOCH_MS, STARTED_AT, TOKEN } from '../../../test/sandbox/test-chain.ts'
import { turnEpoch } from './chain-time.ts'
import { selectNextCommittee } from './staking/epoch-change.ts'
import type { PendingValues } from './staking/pending-values.ts'
import type { Pool } from './staking/pool.ts'
import { rateAt, rewardsBetween } from './staking/pool.ts'
import { rateOf, toShares, toTokens } from './staking/rate.ts'
import type { Token } from './staking/staked-token.ts'
import { commandsFor, PACKAGE_ID } from './transactions/commands.ts'
import { executeCommands } from './transactions/execute.ts'
import { viewSnapshot, viewToken } from './views.ts'
import { foundWorld } from './world/genesis.ts'
import type { World } from './world/world.ts'
import { forkWorld } from './world/world.ts'

const founded = foundWorld(1, EPOCH_MS, STARTED_AT)
const snapshot = viewSnapshot(founded, { epochMs: EPOCH_MS, chainTime: STARTED_AT, now: STARTED_AT })

/**
 * The two smallest validators of each status: few, so that the steps of a run hit the same ones and make them drop
 * out.
 */
const played = ['active', 'pending', 'leaving', 'inactive', 'candidate'].flatMap((status) =>
  snapshot.validators
    .filter((each) => each.status === status)
    .toSorted((a, b) => Number(a.stake - b.stake))
    .slice(0, 2)
    .map(({ id }) => id),
)
const OWNERS = ['1', '2', '3'].map((digit) => `0x${digit.repeat(64)}`)

type Step =
  | { kind: 'stake'; owner: number; validator: number; amount: bigint }
  | { kind: 'unstake' | 'withdraw'; token: number; part: bigint | undefined }
  | { kind: 'join'; token: number; other: number }
  | { kind: 'time'; at: 'middle' | 'end' }

const amounts = fc.oneof(
  fc.bigInt({ min: TOKEN, max: 9n * TOKEN }),
  fc.bigInt({ min: TOKEN, max: 40_000_000n * TOKEN }),
  fc.bigInt({ min: 0n, max: 2n * TOKEN }),
)
const index = fc.nat({ max: 10_000 })
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('stake' as const),
      owner: index,
      validator: index,
      amount: amounts,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('unstake' as const, 'withdraw' as const),
      token: index,
      part: fc.option(amounts, { nil: undefined, freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const), token: index, other: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      at: fc.constantFrom('middle' as const, 'end' as const),
    }),
  },
)

test('any run keeps the sum of coins and all tokens, has no negative amount, and pays principal plus shown rewards', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 5, maxLength: 60 }), (run) => {
      let world = founded
      for (const [done, step] of run.entries()) {
        world = applyStep(world, step)
        checkLedger(world)
        for (const id of played) checkPool(world, id, done)
      }
    }),
    { numRuns: 120 },
  )
})

function applyStep(world: World, step: Step): World {
  if (step.kind === 'time') return moveTime(world, step.at)
  const own = [...world.tokens.values()].filter((token) => played.includes(token.validatorId))
  if (step.kind === 'stake') {
    const validatorId = played[step.validator % played.length] ?? ''
    const owner = OWNERS[step.owner % OWNERS.length] ?? ''
    return execute(world, owner, build({ kind: 'stake', validatorId, amount: step.amount })).world
  }
  // Own and withdrawing tokens are picked more often, so that runs reach the end of a token's life.
  const preferred = own.filter((token) => OWNERS.includes(token.owner) || token.withdrawEpoch !== undefined)
  const choice = preferred.length > 0 && step.token % 4 > 0 ? preferred : own
  const token = choice[step.token % choice.length]
  if (token === undefined) return world
  if (step.kind === 'join') return joinWith(world, token, step.other)
  const action = { kind: step.kind, stakedTokenId: token.id, amount: step.part }
  const { world: next, result } = execute(world, token.owner, build(action))
  if (step.kind === 'withdraw' && result.kind === 'done') checkPayout(world, token, step.part, result)
  return next
}

function moveTime(world: World, at: 'middle' | 'end'): World {
  const draft = forkWorld(world)
  if (at === 'end') turnEpoch(draft, EPOCH_MS, draft.epochStartedAt + EPOCH_MS)
  else if (draft.nextCommittee === undefined) selectNextCommittee(draft)
  return draft
}

const build = (action: StakingAction) => commandsFor(snapshot, action)

/** Runs the commands and checks that the tokens in the new world match `created` and `consumed` of the result. */
function execute(
  world: World,
  sender: string,
  commands: readonly Command[],
): { world: World; result: ExecutionResult } {
  const { world: next, result } = executeCommands(world, sender, commands)
  if (result.kind === 'aborted' || next === undefined) {
    assert.equal(next, undefined)
    return { world, result }
  }
  const expected = new Set(world.tokens.keys())
  for (const { id } of result.created) expected.add(id)
  for (const id of result.consumed) expected.delete(id)
  assert.deepEqual(new Set(next.tokens.keys()), expected)
  return { world: next, result }
}

function joinWith(world: World, token: Token, choice: number): World {
  const candidates = [...world.tokens.values()].filter(
    ({ id, owner, validatorId }) =>
      id !== token.id && owner === token.owner && validatorId === token.validatorId,
  )
  const other = candidates[choice % candidates.length]
  if (other === undefined) return world
  const join: Command = {
    kind: 'moveCall',
    id: 'joined',
    target: `${PACKAGE_ID}::staked_token::join`,
    typeArguments: [],
    arguments: [
      { kind: 'ownedObject', objectId: token.id },
      { kind: 'ownedObject', objectId: other.id },
    ],
  }
  return execute(world, token.owner, [join]).world
}

function checkPayout(before: World, token: Token, part: bigint | undefined, result: ExecutionResult): void {
  const principal = part ?? token.principal
  const { rewards } = viewToken(before, { ...token, principal })
  assert.equal(result.kind === 'done' && result.coinsPaidOut, principal + rewards)
}

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, amount) => total + amount, 0n)

/** Every coin minted or paid as a reward, and not paid out, is in a token, a pool or the pot, exact to the unit. */
function checkLedger(world: World): void {
  const { minted, rewards, paidOut } = world.ledger
  const pools = [...world.validators.values()].map(({ pool }) => pool)
  const held =
    sum([...world.tokens.values()].map((token) => token.principal)) +
    sum(pools.map((pool) => pool.rewardsPool + pool.commission)) +
    world.pot
  assert.equal(minted + rewards - paidOut, held)
}

function checkPool(world: World, id: string, steps: number): void {
  const pool = world.validators.get(id)?.pool
  assert.ok(pool !== undefined)
  const pending: readonly PendingValues[] = [
    pool.pendingStake,
    pool.pendingWithdrawals,
    pool.preActiveWithdrawals,
  ]
  const all = [
    pool.balance,
    pool.shares,
    pool.rewardsPool,
    pool.commission,
    ...pending.flatMap((each) => [...each.values()]),
  ]
  for (const amount of all) assert.ok(amount >= 0n)
  assert.ok(pool.shares <= pool.balance)
  const tokens = [...world.tokens.values()].filter((token) => token.validatorId === id)
  checkPendingStake(world, pool, tokens)
  checkSolvency(world, pool, tokens, steps)
  if (pool.state.kind === 'active') checkWorth(world, pool, tokens, steps)
}

/** The pool's pending stake of each coming epoch is the sum of the principals that become active in it. */
function checkPendingStake(world: World, pool: Pool, tokens: readonly Token[]): void {
  for (const epoch of [world.epoch + 1, world.epoch + 2]) {
    const waiting = tokens.filter((token) => token.activationEpoch === epoch).map((token) => token.principal)
    assert.equal(pool.pendingStake.get(epoch) ?? 0n, sum(waiting))
  }
}

/** The rewards pool covers the rewards of all tokens, except for one unit per step: joining tokens rounds up. */
function checkSolvency(world: World, pool: Pool, tokens: readonly Token[], steps: number): void {
  const promised = tokens
    .filter((token) => token.activationEpoch <= world.epoch)
    .map(({ principal, activationEpoch, withdrawEpoch }) =>
      rewardsBetween(pool, principal, activationEpoch, Math.min(withdrawEpoch ?? world.epoch, world.epoch)),
    )
  assert.ok(sum(promised) <= pool.rewardsPool + BigInt(steps))
}

/** The active balance equals the worth of the active tokens, except for a few units of truncation. */
function checkWorth(world: World, pool: Pool, tokens: readonly Token[], steps: number): void {
  if (!world.committee.includes(pool.id)) return
  const rate = rateOf(pool.balance, pool.shares)
  const working = tokens.filter(
    (token) =>
      token.activationEpoch <= world.epoch && (token.withdrawEpoch ?? Number.POSITIVE_INFINITY) > world.epoch,
  )
  const worth = sum(
    working.map((token) => toTokens(rate, toShares(rateAt(pool, token.activationEpoch), token.principal))),
  )
  const kept = pool.balance - worth
  assert.ok(kept > -50n && kept < BigInt(200 + 4 * (steps + working.length)), `${kept} units apart`)
}
