/**
 * Loaded before every test file. Properties are tried with the same cases on every run, so that a change is judged by
 * what it changes. `PROPERTY_SEED=random` tries new ones, `PROPERTY_RUNS=10` ten times as many.
 */
import { isMainThread } from 'node:worker_threads'

const seed = process.env['PROPERTY_SEED'] ?? '20260101'
// Threads load this file, too, and try no properties.
if (isMainThread && seed !== 'random') {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ seed: Number(seed) })
}
