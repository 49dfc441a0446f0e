import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { STORE_VARIABLE, type STORES } from '../support/test-store.ts'

export const API = join(import.meta.dirname, '..', 'api')

/**
 * What counters of requests decide, or what shows them. Redis is nothing but these counters, and the rest is the same
 * Postgres with or without it: `traffic-counters.test.ts` tells when that, or this list, is no longer so.
 */
export const WITH_COUNTERS =
  /^(charging|cors|errors-that-lead-on|malformed-throttle|order-of-checks|rate-limits|reserved-share|throttle)\.test|^agents\/(key-revocation|service-status)\.test/

/** Documents and headers, in which no store has a part. */
const WITHOUT_STORE = /^(metrics-access|openapi)\.test/

/**
 * What is computed from data of the chain. Of the store these tests see a sign-in, a registration and the admission of
 * their requests, which others are about: every statement that they make is made by a test that runs on Postgres, too.
 */
export const OF_CHAIN_DATA =
  /^(rewards|simulation)\.test|^decisions\/|^staking\/(build-\w+|chain-ids|delegators|lists|network|positions|recompute-scores|scored|validators|whole-network)\.test/

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
  if (WITHOUT_STORE.test(file) || OF_CHAIN_DATA.test(file)) return true
  return store === 'postgres+redis' && !WITH_COUNTERS.test(file)
}
