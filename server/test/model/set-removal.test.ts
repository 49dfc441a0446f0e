import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { removeMember, SET_LIMITS } from '#adapters/sandbox/staking/active-set.ts'
import { selectNextCommittee } from '#adapters/sandbox/staking/epoch-change.ts'
import { leaveSet } from '#adapters/sandbox/staking/validator-set.ts'
import { commandsFor } from '#adapters/sandbox/transactions/commands.ts'
import { executeCommands } from '#adapters/sandbox/transactions/execute.ts'
import { viewSnapshot, viewToken } from '#adapters/sandbox/views.ts'
import { foundWorld } from '#adapters/sandbox/world/genesis.ts'
import { forkWorld, type World } from '#adapters/sandbox/world/world.ts'
import { setRefusing } from '#domain/staking/set-removal.ts'
import { EPOCH_MS, STARTED_AT, TOKEN } from '../sandbox/test-chain.ts'
import { runs } from '../support/repetitions.ts'

const founded = foundWorld(1, EPOCH_MS, STARTED_AT)
const view = (world: World) =>
  viewSnapshot(world, { epochMs: EPOCH_MS, chainTime: STARTED_AT, now: STARTED_AT })

/** Tolerance for rounding on chain: amounts this close to the limit are not checked. */
const ROUNDING = 10n

const worlds = fc.record({
  /** How many operators leave in this epoch, at most as many as its limit of changes allows. */
  leaving: fc.constantFrom(0, 1, SET_LIMITS.maxChanges - 1, SET_LIMITS.maxChanges),
  /** Whether the set was reduced to its minimum size in earlier epochs. */
  isSmallest: fc.boolean(),
  isLate: fc.boolean(),
  pick: fc.nat(),
  /** Percent of the principal. */
  part: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(100)),
})

type Setting = typeof worlds extends fc.Arbitrary<infer T> ? T : never

function worldOf({ leaving, isSmallest, isLate }: Setting): World {
  const world = forkWorld(founded)
  if (isLate) selectNextCommittee(world)
  const smallestFirst = world.activeSet.members.map(({ id }) => id)
  if (isSmallest) {
    for (const id of smallestFirst.slice(SET_LIMITS.minMembers)) {
      world.activeSet = { ...removeMember(world.activeSet, id), changes: [] }
    }
    return world
  }
  const allowed = SET_LIMITS.maxChanges - world.activeSet.changes.length
  for (const id of smallestFirst.toReversed().slice(0, Math.min(leaving, allowed))) leaveSet(world, id)
  return world
}

test('`setRefusing` foresees every unstake that the chain refuses because of its active set, and no other', () => {
  const seen = new Map<string, number>()
  const check = (setting: Setting): void => {
    const world = worldOf(setting)
    const snapshot = view(world)
    const members = new Set(world.activeSet.members.map(({ id }) => id))
    // Only tokens large enough that their unstake can remove a member.
    const tokens = [...world.tokens.values()].filter(
      (token) =>
        members.has(token.validatorId) &&
        token.withdrawEpoch === undefined &&
        token.principal > 5_000_000n * TOKEN,
    )
    const token = tokens[setting.pick % tokens.length]
    const validator = snapshot.validators.find(({ id }) => id === token?.validatorId)
    if (!token || !validator || validator.status !== 'active') return
    const amount = (token.principal * BigInt(setting.part)) / 100n
    const { rewards } = viewToken(world, token)
    const leaving = amount + (rewards * amount) / token.principal
    const foreseen = setRefusing(snapshot, validator, leaving)
    const spare = validator.nextStake - snapshot.system.minValidatorStake
    const distance = leaving - spare
    if (distance <= ROUNDING && distance >= -ROUNDING) return
    const action = { kind: 'unstake', stakedTokenId: token.id } as const
    const part = amount === token.principal ? undefined : amount
    const commands = commandsFor(snapshot, { ...action, amount: part })
    const { result } = executeCommands(world, token.owner, commands)
    const outcome = result.kind === 'aborted' ? `${result.module} ${result.code}` : 'done'
    const expected = {
      too_few_members: 'pending_active_set 3',
      too_many_changes: 'pending_active_set 4',
      none: 'done',
    }[foreseen?.kind ?? 'none']
    // A token that is not active yet is withdrawn with another call, to which the set applies the same rule.
    if (outcome === 'validator 13') return
    assert.equal(outcome, expected)
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  }
  fc.assert(fc.property(worlds, check), runs(600))
  assert.deepEqual([...seen.keys()].sort(), ['done', 'pending_active_set 3', 'pending_active_set 4'])
})
