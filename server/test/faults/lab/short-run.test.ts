import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLab } from './run-lab.ts'

/** The seed determines the order of the faults; their times depend on the machine. */
const SEED = 11
const MS = 20_000

test('a short run of the fault lab: no acknowledged change is lost, and no request is logged twice', {
  timeout: 300_000,
}, async (t) => {
  const { violations, answers, faults } = await runLab({
    seed: SEED,
    ms: MS,
    instances: 2,
    say: () => {},
  })
  t.diagnostic(JSON.stringify({ answers, faults }))
  assert.deepEqual(violations, [])
  assert((answers['call 200'] ?? 0) > 0)
})
