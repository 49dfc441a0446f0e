import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Abort } from '../transactions/abort.ts'
import { emptyWorld } from '../world/empty-world.ts'
import type { World } from '../world/world.ts'
import { advancePool, balanceAt, newPool, type Pool, rawBalanceAt } from './pool.ts'
import { addStake, type Standing } from './pool-staking.ts'
import type { Token } from './staked-token.ts'
import { withdrawToken } from './validator-set.ts'

const TOKEN = 1_000_000_000n
const REMOVED_AT = 2
const standing = (epoch: number, selected: boolean): Standing => ({
  epoch,
  selected,
  inCommittee: epoch > 0,
  inNextCommittee: selected,
})

/**
 * A validator removed in epoch 1 although it is in the selected committee: it works and earns for one more epoch, but
 * its rate is fixed from epoch 2 on. The second stake becomes active at that epoch.
 */
function removedLate(): { readonly pool: Pool; readonly tokens: readonly [Token, Token] } {
  const empty: Pool = { ...newPool('v', 0), state: { kind: 'active', since: 1 } }
  const stake = (pool: Pool, id: string, at: Standing) =>
    addStake(pool, { id, owner: 'owner', amount: 100n * TOKEN }, at)
  const first = stake(empty, 'first', standing(0, false))
  const second = stake(advancePool(first.pool, 0n, 1), 'second', standing(1, true))
  const leaving: Pool = { ...second.pool, state: { kind: 'withdrawing', since: 1, at: REMOVED_AT } }
  const pool = advancePool(advancePool(leaving, 10n * TOKEN, 2), 100n * TOKEN, 3)
  return { pool, tokens: [first.token, second.token] }
}

function worldOf(pool: Pool, tokens: readonly Token[]): World {
  const validator = { id: 'v', name: 'v', missesPerMille: 0, restless: false, pool }
  return {
    ...emptyWorld(1, 0),
    epoch: 3,
    validators: new Map([['v', validator]]),
    tokens: new Map(tokens.map((token) => [token.id, token])),
  }
}

test('the last withdrawal from a validator that was removed late aborts: the contract subtracts below zero', () => {
  const { pool, tokens } = removedLate()
  const isUnderflow = (error: unknown) => error instanceof Abort && error.refusal.name === 'ARITHMETIC_ERROR'
  for (const [one, other] of [tokens, tokens.toReversed()]) {
    assert(one && other)
    const world = worldOf(pool, tokens)
    assert(withdrawToken(world, one) >= one.principal)
    assert.throws(() => withdrawToken(world, other), isUnderflow)
  }
})

test('balanceAt of a pool that was removed late is zero where rawBalanceAt is negative', () => {
  const { pool } = removedLate()
  const asked = { ...pool, pendingWithdrawals: new Map([[3, 190n * TOKEN]]) }
  assert(rawBalanceAt(asked, 3) < 0n)
  assert.equal(balanceAt(asked, 3), 0n)
})
