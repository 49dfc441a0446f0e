import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { STORE_VARIABLE, type STORES } from '../support/test-store.ts'

const API = join(import.meta.dirname, '..', 'api')

/**
 * What no counter of requests has a part in. Redis is nothing but these counters (`traffic-counters.test.ts`), and the
 * rest is the same Postgres with or without it: answers from the chain, decisions and builds are tried on Postgres alone.
 */
const WITHOUT_COUNTERS = /^(staking|decisions)\/|^(rewards|simulation|unasked-fields)\.test/

/** Documents and headers, in which no store has a part. */
const WITHOUT_STORE = /^(cors|metrics-access|openapi)\.test/

/** Thirds of about the same length: a process of its own for every file would load the service eighty times. */
export const PARTS = [
  /^(agents|sign-in)\//,
  /^(staking|decisions)\//,
  /^(?!(agents|sign-in|staking|decisions)\/)/,
] as const

/** The tests of the API, or those of them that `part` takes, in one process. */
export function apiTestsOn(store: (typeof STORES)[number], part = /^/): void {
  process.env[STORE_VARIABLE] = store
  suite(`the API on ${store}`, async () => {
    for (const file of globSync('**/*.test.ts', { cwd: API }).sort()) {
      if (!part.test(file) || isTriedElsewhere(store, file)) continue
      await import(pathToFileURL(join(API, file)).href)
    }
  })
}

function isTriedElsewhere(store: (typeof STORES)[number], file: string): boolean {
  if (store === 'sqlite') return false
  return WITHOUT_STORE.test(file) || (store === 'postgres+redis' && WITHOUT_COUNTERS.test(file))
}
