import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from './fuzz/fuzz.ts'

/** Every byte of the transactions with one action, and parts of all of them; `npm run fuzz` does a million. */
const MUTANTS = 20_000
const ONE_ACTION = /: (?:stake|unstake a part|withdraw|join), /

test('every accepted mutant aborts or has the same outcome as the honest transaction', async () => {
  const { mutants, refused, same, aborted, harmful } = await fuzz(MUTANTS, 20_261, ONE_ACTION)
  assert.deepEqual(harmful.slice(0, 3), [])
  assert.equal(refused + same + aborted, mutants)
  // Fails if the fuzz is vacuous: many mutants must be refused, and some accepted.
  assert(refused > mutants / 2 && same > 0, JSON.stringify({ mutants, refused, same, aborted }))
})
