import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type SampleValidator,
  sampleNetwork,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { type ScoredValidator, scoreValidators } from './score.ts'
import { SCORING } from './scoring-rules.ts'

/** Twenty ordinary validators. With pay by stake only the property that a test varies makes a difference. */
const ORDINARY: readonly SampleValidator[] = Array.from({ length: 20 }, (_, index) => ({
  id: `ordinary-${String(index).padStart(2, '0')}`,
  stake: 50_000_000,
  commissionBps: 400 + 10 * index,
}))
const BY_STAKE = { shape: { kind: 'proportional', capShare: 0.1 } } as const

function scoresOf(
  extra: readonly SampleValidator[],
  options: Parameters<typeof sampleNetwork>[1] = BY_STAKE,
): Map<string, ScoredValidator> {
  const { snapshot, records } = sampleNetwork([...ORDINARY, ...extra], options)
  return new Map(scoreValidators(snapshot, records).map((scored) => [scored.validator.id, scored]))
}

const scoreOf = (scores: Map<string, ScoredValidator>, id: string): number => {
  const found = scores.get(id)
  assert.ok(found, `${id} is scored`)
  return found.score
}

test('scores lie between 0 and 100, have one decimal, and are sorted best first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(1_000), (count, seed) => {
      const { snapshot, records } = sampleNetwork(variedValidators(count, seed))
      const scores = scoreValidators(snapshot, records).map(({ score }) => score)
      assert.equal(scores.length, count)
      assert.deepEqual(
        scores,
        scores.toSorted((a, b) => b - a),
      )
      for (const score of scores) {
        assert.ok(score >= 0 && score <= 100)
        assert.equal(score, Number(score.toFixed(1)))
      }
    }),
    { numRuns: 50 },
  )
})

test('the order of the validators does not change the scores', () => {
  const { snapshot, records } = sampleNetwork(variedValidators(30, 3))
  const reversed = { ...snapshot, validators: snapshot.validators.toReversed() }
  assert.deepEqual(scoreValidators(reversed, records), scoreValidators(snapshot, records))
})

test('the published weights add up to 1 and the components reproduce the score', () => {
  const { weights } = SCORING
  assert.ok(Math.abs(weights.apy + weights.uptime + weights.commission - 1) < 1e-12)
  for (const { components, score } of scoresOf([]).values()) {
    const { apy, uptime, commission, gate } = components
    const composite = gate * (weights.apy * apy + weights.uptime * uptime + weights.commission * commission)
    assert.equal(score, Number((100 * composite).toFixed(1)))
  }
})

test('a spike in a single epoch does not raise the score', () => {
  const spike = (factor: number) =>
    scoreOf(
      scoresOf([
        { id: 'x', stake: 50_000_000, commissionBps: 500, earnedAt: (epoch) => (epoch === 95 ? factor : 1) },
      ]),
      'x',
    )
  assert.ok(spike(20) <= spike(1), `${spike(20)} with the spike, ${spike(1)} without`)
})

test('a commission that was just cut scores as the highest one of the window', () => {
  const honest = { id: 'honest', stake: 50_000_000, commissionBps: 800 }
  const bait = {
    id: 'bait',
    stake: 50_000_000,
    commissionBps: 0,
    commissionAt: (epoch: number) => (epoch < 98 ? 2_000 : 0),
  }
  const scores = scoresOf([honest, bait])
  assert.equal(scores.get('bait')?.components.commission, 0)
  assert.ok(
    scoreOf(scores, 'bait') <=
      scoreOf(scoresOf([{ id: 'bait', stake: 50_000_000, commissionBps: 0 }]), 'bait') - 15,
  )
})

test('an announced raise counts at once', () => {
  const quiet = { id: 'x', stake: 50_000_000, commissionBps: 0 }
  const before = scoreOf(scoresOf([quiet]), 'x')
  const after = scoreOf(scoresOf([{ ...quiet, nextCommissionBps: 2_000 }]), 'x')
  assert.ok(after < before - 40, `${before} before, ${after} after the announcement`)
})

test('a validator with a short history scores below all ordinary ones, however good the history', () => {
  const newcomer = { id: 'newcomer', stake: 50_000_000, commissionBps: 0, firstEpoch: 96 }
  const scores = scoresOf([newcomer])
  assert.equal(scores.get('newcomer')?.components.gate, 0.3)
  for (const { id } of ORDINARY) assert.ok(scoreOf(scores, id) > scoreOf(scores, 'newcomer'))
})

test('without a history: no APY, score 0, but no closed gate', () => {
  const unknown = scoresOf([{ id: 'new', stake: 50_000_000, firstEpoch: 100 }]).get('new')
  assert.deepEqual([unknown?.apy, unknown?.uptime, unknown?.score], [undefined, undefined, 0])
  assert.deepEqual(unknown?.closedGates, [])
})

test('a tiny pool with equal pay: its huge rate is bounded in the score, and the joining stake is a gate', () => {
  const tiny = { id: 'tiny', stake: 500_000, commissionBps: 500 }
  const good = { id: 'good', stake: 40_000_000, commissionBps: 0 }
  const unreliable = { ...tiny, earnedAt: (epoch: number) => (epoch % 4 === 0 ? 0 : 1) }
  const open = scoresOf([unreliable, good], {})
  assert.ok(scoreOf(open, 'good') > scoreOf(open, 'tiny'), 'a hundredfold rate does not outweigh missed work')
  const gated = scoresOf([tiny], { minValidatorStake: 30_000_000n * TOKEN }).get('tiny')
  assert.equal(gated?.score, 0)
  assert.deepEqual(gated?.closedGates, ['below_joining_stake'])
})

test('each gate closes for its own reason and sets the score to 0', () => {
  const scores = scoresOf([
    { id: 'leaving', stake: 50_000_000, status: 'leaving', inNextCommittee: false },
    { id: 'evicted', stake: 50_000_000, inNextCommittee: false },
    { id: 'greedy', stake: 50_000_000, nextCommissionBps: 10_000 },
  ])
  assert.deepEqual(scores.get('leaving')?.closedGates, ['not_active', 'not_in_next_committee'])
  assert.deepEqual(scores.get('evicted')?.closedGates, ['not_in_next_committee'])
  assert.deepEqual(scores.get('greedy')?.closedGates, ['commission_takes_all'])
  for (const id of ['leaving', 'evicted', 'greedy']) assert.equal(scoreOf(scores, id), 0)
})

test('missed epochs cost a validator more than 40 points', () => {
  const scores = scoresOf([
    { id: 'steady', stake: 50_000_000, commissionBps: 500 },
    { id: 'absent', stake: 50_000_000, commissionBps: 500, earnedAt: (epoch) => (epoch % 5 === 0 ? 0 : 1) },
  ])
  assert.ok(scoreOf(scores, 'absent') < scoreOf(scores, 'steady') - 40)
  assert.ok((scores.get('absent')?.quality.missed ?? 0) >= 6)
})
