import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/repetitions.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../../../test/support/sample-network.ts'
import { allocator } from './allocation/allocation.ts'
import { scoreValidators } from './scoring/score.ts'
import { stakeOptionsOf } from './stake-options.ts'

function explained(count: number, seed: number, amount: bigint) {
  const { snapshot, records } = sampleNetwork(
    variedValidators(count, seed).map((one) => ({ firstEpoch: 92, ...one })),
  )
  const allocate = allocator(stakeOptionsOf(snapshot, scoreValidators(snapshot, records)))
  const answer = allocate({ amount, maxValidators: 5, riskAversion: 0, explain: true })
  assert(answer.explanation)
  return { ...answer, explanation: answer.explanation }
}

const problems = fc.record({
  count: fc.integer({ min: 1, max: 30 }),
  seed: fc.nat(10_000),
  amount: fc.bigInt({ min: 100n * TOKEN, max: 10n ** 17n }),
})

test('the sampled curves fall, and cross the common marginal rate at the chosen amounts', () => {
  fc.assert(
    fc.property(problems, ({ count, seed, amount }) => {
      const { explanation, allocations } = explained(count, seed, amount)
      const { curves, chosen, marginalRate } = explanation
      for (const { points } of curves) {
        assert(
          points.every(
            (point, index) => index === 0 || point.marginalRate <= (points[index - 1]?.marginalRate ?? 0),
          ),
        )
      }
      for (const [index, { amount: staked }] of allocations.entries()) {
        if (chosen[index]?.heldBy !== 'marginal_rate') continue
        const points = curves[index]?.points ?? []
        const after = points.find((point) => point.amount >= staked)
        const before = points.findLast((point) => point.amount <= staked)
        assert(after && before)
        assert(before.marginalRate >= marginalRate - 1e-6 && after.marginalRate <= marginalRate + 1e-6)
      }
    }),
    runs(100),
  )
})
