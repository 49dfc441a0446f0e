/**
 * Loaded before every test file: seeds fast-check, so that every run tries the same cases and a new failure comes from a
 * change. `PROPERTY_SEED=random` tries new cases; `PROPERTY_RUNS=10` ten times as many of each property that sets no
 * number of runs, or takes it from server/test/support/repetitions.ts.
 */
import { isMainThread } from 'node:worker_threads'
import { numberVariable } from './number-variable.ts'

/** What fast-check tries by itself. */
const USUAL_RUNS = 100

const wanted = process.env['PROPERTY_SEED'] ?? '20260101'
const seed = wanted === 'random' ? undefined : Number(wanted)
if (Number.isNaN(seed)) throw new Error(`PROPERTY_SEED must be a number or 'random', not '${wanted}'`)
// Worker threads load this file, too, but run no properties.
if (isMainThread) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({
    numRuns: Math.ceil(USUAL_RUNS * numberVariable('PROPERTY_RUNS', 1)),
    ...(seed !== undefined && { seed }),
  })
}
