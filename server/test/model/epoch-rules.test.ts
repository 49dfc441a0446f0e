import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { turnEpoch } from '#adapters/sandbox/chain-time.ts'
import { selectNextCommittee } from '#adapters/sandbox/staking/epoch-change.ts'
import type { Token } from '#adapters/sandbox/staking/staked-token.ts'
import { joinSet, leaveSet } from '#adapters/sandbox/staking/validator-set.ts'
import { Abort } from '#adapters/sandbox/transactions/abort.ts'
import { commandsFor } from '#adapters/sandbox/transactions/commands.ts'
import { executeCommands } from '#adapters/sandbox/transactions/execute.ts'
import { viewSnapshot } from '#adapters/sandbox/views.ts'
import { foundWorld } from '#adapters/sandbox/world/genesis.ts'
import { forkWorld, type World } from '#adapters/sandbox/world/world.ts'
import { epochsUntilActive, membershipOf, withdrawalPath } from '#domain/staking/epoch-rules.ts'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { ChainSnapshot, StakingAction } from '#ports/chain/staking-chain.ts'
import { EPOCH_MS, ME, STARTED_AT, TOKEN } from '../sandbox/test-chain.ts'
import { runs } from '../support/repetitions.ts'

/**
 * Compares `epoch-rules.ts`, which answers are built from, with the sandbox's contract in random worlds: executing the
 * commands has the predicted result, and the contract refuses every call that the rules refuse.
 */

const founded = foundWorld(1, EPOCH_MS, STARTED_AT)
const view = (world: World): ChainSnapshot =>
  viewSnapshot(world, { epochMs: EPOCH_MS, chainTime: STARTED_AT, now: STARTED_AT })

/** Two validators of each status: few enough that several steps of a run concern the same one. */
const PLAYED = ['active', 'pending', 'leaving', 'inactive', 'candidate'].flatMap((status) =>
  view(founded)
    .validators.filter((validator) => validator.status === status)
    .slice(0, 2)
    .map(({ id }) => id),
)

const steps = fc.record({
  kind: fc.constantFrom('middle', 'end', 'end', 'stake', 'stake', 'unstake', 'withdraw', 'join', 'leave'),
  pick: fc.nat({ max: 10_000 }),
  amount: fc.oneof(
    fc.bigInt({ min: TOKEN, max: 9n * TOKEN }),
    fc.bigInt({ min: TOKEN, max: 40_000_000n * TOKEN }),
  ),
})
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never

const run = (world: World, sender: string, action: StakingAction) =>
  executeCommands(world, sender, commandsFor(view(world), action))

const playedTokens = (world: World): readonly Token[] =>
  [...world.tokens.values()].filter(({ validatorId }) => PLAYED.includes(validatorId))

const picked = <T>(list: readonly T[], pick: number): T | undefined => list[pick % list.length]

function take(world: World, { kind, pick, amount }: Step): World {
  const draft = forkWorld(world)
  const validatorId = picked(PLAYED, pick) ?? ''
  if (kind === 'middle') {
    if (draft.nextCommittee === undefined) selectNextCommittee(draft)
    return draft
  }
  if (kind === 'end') {
    turnEpoch(draft, EPOCH_MS, draft.epochStartedAt + EPOCH_MS)
    return draft
  }
  if (kind === 'join' || kind === 'leave') return changeSet(world, kind, validatorId)
  if (kind === 'stake') return run(world, ME, { kind, validatorId, amount }).world ?? world
  const own = playedTokens(world).filter(({ owner }) => owner === ME)
  const token = picked(own.length > 0 ? own : playedTokens(world), pick)
  if (token === undefined) return world
  const action = { kind: kind === 'unstake' ? 'unstake' : 'withdraw', stakedTokenId: token.id } as const
  return run(world, token.owner, { ...action, amount: undefined }).world ?? world
}

/** An operator's action; unchanged world if the set refuses it. */
function changeSet(world: World, kind: 'join' | 'leave', validatorId: string): World {
  const state = world.validators.get(validatorId)?.pool.state.kind
  if (state !== (kind === 'join' ? 'candidate' : 'active')) return world
  const draft = forkWorld(world)
  try {
    if (kind === 'join') joinSet(draft, validatorId)
    else leaveSet(draft, validatorId)
    return draft
  } catch (error) {
    assert(error instanceof Abort)
    return world
  }
}

const refusedAs = (result: ExecutionResult): string =>
  result.kind === 'aborted' ? `${result.module} ${result.code}` : 'done'

/** An unstake may also be refused because it would remove the validator from the set, which is no rule of epochs. */
const isRefusedBySet = (result: ExecutionResult): boolean =>
  result.kind === 'aborted' && result.module === 'pending_active_set'

function checkToken(world: World, token: Token, seen: Set<string>): void {
  const snapshot = view(world)
  const validator = snapshot.validators.find(({ id }) => id === token.validatorId)
  const path = withdrawalPath(token, membershipOf(validator), snapshot)
  const action = { stakedTokenId: token.id, amount: undefined }
  const { result: asked } = run(world, token.owner, { kind: 'unstake', ...action })
  const { result: paid } = run(world, token.owner, { kind: 'withdraw', ...action })
  const wasRequested = token.withdrawEpoch !== undefined
  seen.add(`${path.kind}${wasRequested ? ', requested' : ''}`)
  if (isRefusedBySet(asked) || isRefusedBySet(paid)) return
  if (path.kind === 'request') {
    assert.deepEqual(asked.kind === 'done' && asked.changed, [{ id: token.id, withdrawEpoch: path.atEpoch }])
    assert.equal(refusedAs(paid), 'validator 10')
    return
  }
  assert.equal(refusedAs(asked), wasRequested ? 'validator 8' : 'validator 13')
  if (path.kind === 'wait') assert.equal(refusedAs(paid), 'validator 11')
  else assert.deepEqual(paid.kind === 'done' && paid.consumed, [token.id], JSON.stringify(paid, toText))
}

const toText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

function checkStake(world: World, validatorId: string): void {
  const snapshot = view(world)
  const status = snapshot.validators.find(({ id }) => id === validatorId)?.status
  const { result } = run(world, ME, { kind: 'stake', validatorId, amount: TOKEN })
  if (isRefusedBySet(result)) return
  if (status === 'leaving' || status === 'inactive') {
    assert.equal(refusedAs(result), 'validator 6')
    return
  }
  const activationEpoch = snapshot.epoch.number + epochsUntilActive(snapshot)
  assert.equal(result.kind === 'done' && result.created[0]?.activationEpoch, activationEpoch)
}

test('in any world, commands have the results that the epoch rules predict, and are refused where the rules refuse', () => {
  const seen = new Set<string>()
  fc.assert(
    fc.property(fc.array(steps, { minLength: 4, maxLength: 25 }), (life) => {
      let world = founded
      for (const step of life) {
        world = take(world, step)
        const token = picked(playedTokens(world), step.pick)
        if (token) checkToken(world, token, seen)
        for (const own of playedTokens(world).filter(({ owner }) => owner === ME))
          checkToken(world, own, seen)
      }
      for (const validatorId of PLAYED) checkStake(world, validatorId)
    }),
    runs(60),
  )
  assert.deepEqual(
    [...seen].sort(),
    ['request', 'wait, requested', 'withdraw_now', 'withdraw_now, requested'],
    'every path occurred',
  )
})
