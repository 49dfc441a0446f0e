import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/repetitions.ts'
import { sampleNetwork, TOKEN, variedValidators } from '../../../test/support/sample-network.ts'
import { prepareField } from './allocation/allocation-field.ts'
import { termsOf } from './allocation/allocation-terms.ts'
import { strategiesIn } from './compare-strategies.ts'
import { scoreValidators } from './scoring/score.ts'
import { type StakeOption, stakeOptionsOf } from './stake-options.ts'
import { yieldOfWhole } from './staked-part.ts'

const networks = fc.record({
  count: fc.integer({ min: 2, max: 40 }),
  seed: fc.nat(10_000),
  shape: fc.constantFrom({ kind: 'equal-share' as const }, { kind: 'proportional' as const, capShare: 0.1 }),
  excludedShare: fc.double({ min: 0, max: 0.8, noNaN: true }),
  maxValidators: fc.integer({ min: 1, max: 50 }),
  tokens: fc.integer({ min: 1, max: 1_000_000 }),
})

test('plain rules choose the same validators as sorting all allowed ones would', () => {
  fc.assert(
    fc.property(networks, ({ count, seed, shape, excludedShare, maxValidators, tokens }) => {
      const { snapshot, records } = sampleNetwork(variedValidators(count, seed), { shape })
      const market = stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
      const eligible = market.options.filter((option) => option.eligible)
      const excluded = eligible.slice(0, Math.floor(excludedShare * eligible.length))
      const allowed = eligible.filter((option) => !excluded.includes(option))
      if (allowed.length === 0) return
      const terms = termsOf(market, {
        amount: BigInt(tokens) * TOKEN,
        maxValidators,
        exclude: new Set(excluded.map(({ validatorId }) => validatorId)),
      })
      const chosen = new Map(
        strategiesIn(market)(
          prepareField(market)(terms),
          { ...terms, yieldOf: yieldOfWhole(market)(terms) },
          maxValidators,
        ).map(({ strategy, validatorIds }) => [strategy, validatorIds]),
      )
      const most = Math.min(maxValidators, tokens)
      const first = (options: readonly StakeOption[]) =>
        options.slice(0, most).map(({ validatorId }) => validatorId)
      assert.deepEqual(chosen.get('equal_parts'), first(allowed.toSorted((a, b) => a.rank - b.rank)))
      // If a part is below the smallest stake, the rule is not listed.
      const byStake = chosen.get('by_stake')
      if (byStake) assert.deepEqual(byStake, first(allowed.toSorted((a, b) => Number(b.stake - a.stake))))
      assert.equal(chosen.get('highest_apy')?.length, 1)
      assert.ok(allowed.some(({ validatorId }) => validatorId === chosen.get('highest_apy')?.[0]))
    }),
    runs(200),
  )
})
