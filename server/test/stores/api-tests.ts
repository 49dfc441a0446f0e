import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { STORE_VARIABLE, type STORES } from '../support/test-store.ts'

const API = join(import.meta.dirname, '..', 'api')

/**
 * What no counter of requests has a part in. Redis is nothing but these counters (`traffic-counters.test.ts`), and the
 * rest is the same Postgres with or without it: answers from the chain, decisions, builds, documents and headers are
 * tried on Postgres alone.
 */
const WITHOUT_COUNTERS =
  /^(staking|decisions)\/|^(cors|metrics-access|openapi|rewards|simulation|unasked-fields)\.test/

/** The tests of the API once more, on another store than the embedded one, in one process. */
export function apiTestsOn(store: (typeof STORES)[number]): void {
  process.env[STORE_VARIABLE] = store
  suite(`the API on ${store}`, async () => {
    for (const file of globSync('**/*.test.ts', { cwd: API }).sort()) {
      if (store === 'postgres+redis' && WITHOUT_COUNTERS.test(file)) continue
      await import(pathToFileURL(join(API, file)).href)
    }
  })
}
