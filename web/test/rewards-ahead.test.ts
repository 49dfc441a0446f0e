import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewardsAhead } from '../src/data/rebalance/rewards-ahead.ts'

const EPOCHS_PER_YEAR = 52_560
const [OLD, NEW] = ['0xa', '0xb'] as const

/** Six million at `apy` %, half of it accrued rewards, that move to 17.17 % within three epochs. */
const plan = (apy: number) => ({
  summary: {
    currentWeightedApy: apy,
    projectedWeightedApy: 17.17,
    range: null,
    estimatedEpochsToComplete: 3,
    breakEvenEpochs: 4,
    horizonEpochs: 20,
    recommendation: 'move' as const,
    reason: '',
  },
  steps: [
    step({ action: 'unstake', validator: OLD, amount: '3000000', rewards: '3000000' }),
    step({ action: 'stake', validator: NEW, amount: '6000000' }),
  ],
  currentPositions: [
    {
      validator: OLD,
      name: null,
      stakedAmount: '3000000',
      currentApy: apy,
      stakedTokenId: '0xc',
      rewards: '3000000',
      state: 'active' as const,
    },
  ],
})
const step = (part: {
  action: 'stake' | 'unstake'
  validator: string
  amount: string
  rewards?: string
}) => ({
  ...part,
  name: null,
  requiresEpochWait: true,
  order: 1,
  epoch: 1,
})
const assertNear = (actual: number, expected: number) =>
  assert(Math.abs(actual - expected) < 1e-6, `${actual} instead of ${expected}`)

test('an epoch pays what compounds to the APY, and a year of them pays the APY', () => {
  const { move, complete } = rewardsAhead(plan(3.2), EPOCHS_PER_YEAR)
  const paid = move(complete + 1) - move(complete)
  assertNear(paid, 6e6 * (1.1717 ** (1 / EPOCHS_PER_YEAR) - 1))
  assert.equal(paid.toFixed(2), '18.09')
  assert(Math.abs((1 + paid / 6e6) ** EPOCHS_PER_YEAR - 1.1717) < 1e-6)
})

test('moving stake earns as before, nothing in one epoch, and the new rate once complete', () => {
  const { hold, move, complete, crossing } = rewardsAhead(plan(3.2), EPOCHS_PER_YEAR)
  assert.equal(complete, 3)
  assert.equal(move(2), hold(2))
  assertNear(move(3), move(2))
  assert(move(3) < hold(3))
  assertNear(move(20) - move(3), 17 * (move(4) - move(3)))
  assert(crossing > 3 && crossing < 4)
  assertNear(move(crossing), hold(crossing))
})

test('stake that earned nothing is level until the move is complete', () => {
  const { hold, move, crossing } = rewardsAhead(plan(0), EPOCHS_PER_YEAR)
  assert.equal(hold(20), 0)
  assert.equal(move(3), 0)
  assert.equal(crossing, 3)
})
