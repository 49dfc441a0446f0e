import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { STORE_VARIABLE, type STORES } from '../support/test-store.ts'

export const API = join(import.meta.dirname, '..', 'api')

/**
 * Tests whose outcome depends on request counters: the only ones that need Redis, which holds nothing else.
 * `traffic-counters.test.ts` fails when Redis gets another use or a test is missing here.
 */
export const WITH_COUNTERS =
  /^(charging|cors|errors-that-lead-on|malformed-throttle|order-of-checks|rate-limits|reserved-share|throttle)\.test|^agents\/(key-revocation|service-status)\.test|^sign-in\/flooded-address\.test/

/** Tests of documents and headers, which use no store. */
const WITHOUT_STORE = /^(metrics-access|openapi)\.test/

/**
 * Tests of results computed from chain data. They use the store only for sign-in, registration and admission; every SQL
 * statement of theirs is also executed by a test that runs on Postgres.
 */
export const OF_CHAIN_DATA =
  /^(rewards|simulation)\.test|^decisions\/|^staking\/(build-\w+|chain-ids|delegators|lists|network|positions|recompute-scores|scored|validators|whole-network)\.test/

/** Three parts of about the same duration. One process per file would load the service eighty times. */
export const PARTS = [
  /^(agents|sign-in)\//,
  /^(staking|decisions)\//,
  /^(?!(agents|sign-in|staking|decisions)\/)/,
] as const

/** Runs the tests of the API whose path matches `part` on the store, in one process. */
export function apiTestsOn(store: (typeof STORES)[number], part = /^/): void {
  process.env[STORE_VARIABLE] = store
  suite(`the API on ${store}`, async () => {
    for (const file of globSync('**/*.test.ts', { cwd: API }).sort()) {
      if (!part.test(file) || isSkippedOn(store, file)) continue
      await import(pathToFileURL(join(API, file)).href)
    }
  })
}

function isSkippedOn(store: (typeof STORES)[number], file: string): boolean {
  if (store === 'sqlite') return false
  if (WITHOUT_STORE.test(file) || OF_CHAIN_DATA.test(file)) return true
  return store === 'postgres+redis' && !WITH_COUNTERS.test(file)
}
