import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sampleNetwork, TOKEN } from '../../../../test/support/sample-network.ts'
import { compoundYearly } from '../../network/year.ts'
import { scoreValidators } from '../scoring/score.ts'
import { rewardOf } from '../solver/reward-curve.ts'
import { curveAt, stakeOptionsOf } from '../stake-options.ts'
import { allocator } from './allocation.ts'

test('docs/allocation.md: the figures of the worked example equal those that the code computes', async () => {
  const written = await readFile(new URL('../../../../../docs/allocation.md', import.meta.url), 'utf8')
  const document = written.replace(/\s+/g, ' ')
  const { snapshot, records } = sampleNetwork(
    [
      { id: 'A', stake: 20_000_000 },
      { id: 'B', stake: 30_000_000, commissionBps: 500 },
      { id: 'C', stake: 50_000_000, commissionBps: 200 },
    ],
    { yearlyRate: 0.06 },
  )
  const market = stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
  const amount = 10_000_000n * TOKEN
  const answer = allocator(market)({ amount, maxValidators: 3, riskAversion: 0, explain: true })
  const curves = market.options.map((option) => curveAt(market.pool, option, Number(option.stake), 1))

  const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
  const percent = (rate: number): string => `${(100 * rate).toFixed(3)}%`
  const line = (label: string, shares: readonly [number, number]): string => {
    const parts = shares.map((share, index) => {
      const curve = curves[index]
      return curve && share > 0
        ? { share, rate: rewardOf(curve, share * 1e9) / (share * 1e9) }
        : { share, rate: 0 }
    })
    const mean = (of: (rate: number) => number): number =>
      parts.reduce((sum, { share, rate }) => sum + (share / 1e7) * of(rate), 0)
    const apy = mean((rate) => compoundYearly(rate, 365))
    return `| ${label} | ${whole(shares[0])} | ${whole(shares[1])} | ${percent(mean((rate) => rate))} | ${percent(apy)} |`
  }
  const [a = 0, b = 0] = answer.allocations.map(({ amount }) => Number(amount) / 1e9)
  const expected = [
    line('**optimum**', [a, b]),
    line('everything into the highest quote', [1e7, 0]),
    line('in equal halves', [5e6, 5e6]),
    ...curves.map(({ decline, stake, entry }) => `${whole(decline / stake / 1e9)} | ${percent(entry)} |`),
    `a rate of ${answer.explanation?.marginalRate.toFixed(3)}%`,
    `value ${answer.certificate.value.toFixed(3)}, bound ${answer.certificate.bound.toFixed(3)}, gap 0`,
  ]
  for (const text of expected) assert.ok(document.includes(text), `docs/allocation.md should say: ${text}`)
  assert.ok(Math.abs(answer.totalProjectedApy - 7.163) < 0.001)
  assert.deepEqual(
    answer.allocations.map(({ validatorId }) => validatorId),
    ['A', 'B'],
  )
  assert.equal(answer.explanation?.next?.validatorId, 'C')
})
