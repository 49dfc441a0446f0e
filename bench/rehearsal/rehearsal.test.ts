import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rehearsePlan, rehearseSplits } from './rehearse.ts'

/** Small enough for five pools, large enough to dilute them. */
const TOKENS = 20_000_000n
const UNITS = TOKENS * 1_000_000_000n

/**
 * Relative tolerance for two effects that projections leave out: pools grow while their pot does not, about 1% in sixty
 * days, and each missed epoch of sixty costs a sixtieth of that validator's pay. Over many seeds and validators the
 * projections are unbiased: server/test/twins/projection-bias.test.ts.
 */
const TOLERANCE = 0.05

for (const seed of [1, 2]) {
  test(`a split that is built and executed earns its projected APY within 5% (seed ${seed})`, async () => {
    const [ours, equal, quotes, single] = await rehearseSplits({ seed, tokens: TOKENS, epochs: 60 })
    assert(ours?.promisedApy && equal && quotes && single)
    for (const { name, projectedApy, realisedApy } of [ours, equal, quotes, single]) {
      const off = realisedApy / projectedApy - 1
      assert(Math.abs(off) < TOLERANCE, `${name}: projected ${projectedApy}, realised ${realisedApy}`)
    }
    assert(
      Math.abs(ours.realisedApy / ours.promisedApy - 1) < TOLERANCE,
      'the realised APY is the one that allocate promised',
    )
    for (const other of [equal, quotes]) {
      assert(ours.projectedApy > other.projectedApy && ours.realisedApy > other.realisedApy, other.name)
    }
    assert(ours.realisedApy > 1.2 * single.realisedApy, 'the highest quote alone suffers from dilution')
  })
}

for (const late of [false, true]) {
  const when = late ? 'after the middle of an epoch' : 'before the middle of an epoch'
  test(`a plan made ${when} can be followed in order, completes in the estimated epochs, and loses not one unit`, async () => {
    const plan = await rehearsePlan({ seed: 2, tokens: TOKENS, epochs: 30, late })
    const { followed, breakEven, staying, moving } = plan
    assert.equal(plan.estimatedEpochs, late ? 3 : 2)
    assert.equal(followed.completeAtEpoch - followed.startedAtEpoch, plan.estimatedEpochs)
    const paidOut = followed.payouts.reduce((sum, payout) => sum + payout.paidOut, 0n)
    assert(followed.staked > followed.unstaked && followed.staked <= paidOut, 'rewards are staked, too')
    assert.equal(
      followed.payouts.reduce((sum, { principal }) => sum + principal, 0n),
      followed.unstaked,
    )
    assert.deepEqual(
      followed.payouts.map(({ paidOut }) => paidOut),
      plan.expectedPayouts,
    )
    assert.equal(plan.principal - UNITS, followed.staked - followed.unstaked, 'everything is staked again')
    assert.equal(breakEven.seen, breakEven.said, 'the plan breaks even in the projected epoch')
    for (const { projectedApy, realisedApy } of [staying, moving]) {
      assert(Math.abs(realisedApy / projectedApy - 1) < TOLERANCE, `${projectedApy}, ${realisedApy}`)
    }
  })
}
