import assert from 'node:assert/strict'
import type { Validator } from '#ports/chain/staking-chain.ts'
import { MoveAbort } from './oracle/machine.ts'
import { atMost, balanceAt, type Pool, rewardsOf } from './oracle/pool.ts'
import type { Contract } from './oracle/validator-set.ts'
import { poolOf } from './oracle/validator-set.ts'
import type { StakedToken } from './oracle/values.ts'
import type { Twin } from './twin.ts'

/** Asserts that all validators and tokens of the sandbox equal those of the oracle, to the unit. */
export async function compareTwin({ chain, oracleState, deadline }: Twin): Promise<void> {
  const { contract, tokens } = oracleState
  const seen = await chain.readSnapshot(deadline)
  assert.equal(seen.epoch.number, contract.epoch)
  assert.equal(seen.epoch.nextCommitteeSelected, contract.nextCommittee !== undefined)
  const { entries, changed, limits } = contract.set
  assert.equal(seen.system.activeSet?.members, entries.length)
  assert.equal(seen.system.activeSet?.changesLeft, limits.changes - changed.size)
  for (const validator of seen.validators) {
    assertSame(shown(validator), expected(contract, poolOf(contract, validator.id)))
  }
  for (const token of await chain.stakedTokens([...tokens.keys()], deadline)) {
    const own = tokens.get(token.id)
    assert(own)
    const { validatorId, principal, activationEpoch, withdrawEpoch, rewards } = token
    assertSame(
      { validatorId, principal, activationEpoch, withdrawEpoch, rewards },
      {
        validatorId: own.validator,
        principal: own.principal,
        activationEpoch: own.activation,
        withdrawEpoch: own.withdrawal,
        rewards: rewardsDue(contract, own),
      },
    )
  }
}

/** Compares field by field, which is much cheaper; the deep comparison runs only to print a difference. */
function assertSame<T extends object>(actual: T, wanted: T): void {
  for (const key in wanted) if (actual[key] !== wanted[key]) assert.deepEqual(actual, wanted)
}

type Shown = Pick<
  Validator,
  | 'status'
  | 'stake'
  | 'nextStake'
  | 'pendingStake'
  | 'unclaimedRewards'
  | 'commissionBps'
  | 'nextCommissionBps'
  | 'inNextCommittee'
> & { readonly earnsUntil: number | undefined }

const shown = (validator: Validator): Shown => ({
  status: validator.status,
  stake: validator.stake,
  nextStake: validator.nextStake,
  pendingStake: validator.pendingStake,
  unclaimedRewards: validator.unclaimedRewards,
  commissionBps: validator.commissionBps,
  nextCommissionBps: validator.nextCommissionBps,
  inNextCommittee: validator.inNextCommittee,
  earnsUntil: validator.facts?.earnsUntil,
})

function expected(contract: Contract, pool: Pool): Shown {
  const { epoch, nextCommittee } = contract
  const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
  const announced = [...pool.commissions].filter(([from]) => from > epoch).map(([, rate]) => rate)
  return {
    status: statusOf(contract, pool),
    stake: orZero(() => balanceAt(pool, epoch)),
    nextStake: orZero(() => balanceAt(pool, nextCommittee === undefined ? epoch + 1 : epoch + 2)),
    pendingStake: sum([...pool.pendingStake].filter(([due]) => due > epoch).map(([, amount]) => amount)),
    unclaimedRewards: pool.rewards,
    commissionBps: pool.commissionRate,
    nextCommissionBps: expectedCommission(announced, pool.commissionRate),
    inNextCommittee: nextCommittee?.includes(pool.id),
    // A candidate that was removed never earned.
    earnsUntil: typeof pool.state === 'string' || !pool.activation ? undefined : pool.state.withdrawing,
  }
}

function statusOf({ committee, nextCommittee, set }: Contract, { id, state }: Pool): Validator['status'] {
  if (state === 'pre-active') return 'candidate'
  const isNext = nextCommittee?.includes(id) ?? false
  if (state !== 'active') return committee.includes(id) || isNext ? 'leaving' : 'inactive'
  if (committee.includes(id)) return 'active'
  return isNext || set.entries.some((entry) => entry.id === id) ? 'pending' : 'inactive'
}

function rewardsDue(contract: Contract, token: StakedToken): bigint {
  const pool = poolOf(contract, token.validator)
  if (token.activation > contract.epoch) return 0n
  const until = Math.min(token.withdrawal ?? contract.epoch, contract.epoch)
  const earned = orZero(() => rewardsOf(pool, token.principal, token.activation, until))
  return atMost(earned, pool.rewards)
}

/** The amount, or zero where the contract would abort. */
function orZero(amount: () => bigint): bigint {
  try {
    return amount()
  } catch (error) {
    if (error instanceof MoveAbort) return 0n
    throw error
  }
}

/** The highest announced rate if it is a raise, even if it is taken back later; otherwise the last announced rate. */
const expectedCommission = (announced: readonly number[], present: number): number =>
  Math.max(...announced, present) > present ? Math.max(...announced) : (announced.at(-1) ?? present)
