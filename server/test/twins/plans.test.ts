import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runs } from '../support/repetitions.ts'
import { followAll } from './follow-all.ts'

/** `npm run twins` runs 1,000 holders on one chain, which takes too long for a test file on a busy machine. */
const SEEDS = [7, 8]
const HOLDERS_PER_SEED = runs(100).numRuns
const UNLUCKY_HOLDERS = runs(40).numRuns

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

for (const seed of SEEDS) {
  test(`a holder who carries out a plan gains over staying, and earns the projected yield within 2%: seed ${seed}`, async (t) => {
    const outcomes = await followAll({ holders: HOLDERS_PER_SEED, seed, luck: 'none' })
    const worst = Math.min(...outcomes.map(({ gained }) => gained))
    const errors = outcomes.map(({ projected, realised }) => realised / projected - 1)
    t.diagnostic(
      `${outcomes.length} of ${HOLDERS_PER_SEED} were to move; they gained ${(1e4 * worst).toFixed(2)} bp or more; realised / projected − 1 from ${Math.min(...errors).toFixed(4)} to ${Math.max(...errors).toFixed(4)}`,
    )
    assert(outcomes.length > HOLDERS_PER_SEED / 4)
    assert(worst > 0)
    for (const error of errors) assert(Math.abs(error) < 0.02, `${error}`)
  })
}

test('with validators that fail at random, plans still gain and earn the projected yield on average', async (t) => {
  const outcomes = await followAll({ holders: UNLUCKY_HOLDERS, seed: 11, luck: 'as it comes' })
  const worse = outcomes.filter(({ gained }) => gained < 0)
  const error = mean(outcomes.map(({ projected, realised }) => realised / projected)) - 1
  const gained = mean(outcomes.map(({ gained }) => gained))
  t.diagnostic(
    `${worse.length} of ${outcomes.length} fared worse by chance; mean gain ${(1e4 * gained).toFixed(1)} bp over the horizon; realised / projected − 1 on average ${error.toFixed(4)}`,
  )
  assert(gained > 0)
  assert(worse.length <= outcomes.length / 10)
  assert(Math.abs(error) < 0.02, `${error}`)
})
