/**
 * Loaded before every test file. Properties are tried with the same cases on every run, so that a change is judged by
 * what it changes. `PROPERTY_SEED=random` tries new ones, `PROPERTY_RUNS=10` ten times as many.
 */
import fc from 'fast-check'

const seed = process.env['PROPERTY_SEED'] ?? '20260101'
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) })
