/**
 * Loaded before every test file: seeds fast-check, so that every run tries the same cases and a new failure comes from a
 * change. `PROPERTY_SEED=random` tries new cases, `PROPERTY_RUNS=10` ten times as many.
 */
import { isMainThread } from 'node:worker_threads'

const seed = process.env['PROPERTY_SEED'] ?? '20260101'
// Worker threads load this file, too, but run no properties.
if (isMainThread && seed !== 'random') {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(seed) })
}
