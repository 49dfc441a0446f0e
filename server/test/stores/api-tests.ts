import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { STORE_VARIABLE, type STORES } from '../support/test-store.ts'

const API = join(import.meta.dirname, '..', 'api')

/** Every test of the API once more, on another store than the embedded one, in one process. */
export function apiTestsOn(store: (typeof STORES)[number]): void {
  process.env[STORE_VARIABLE] = store
  suite(`the API on ${store}`, async () => {
    for (const file of globSync('**/*.test.ts', { cwd: API }).sort()) {
      await import(pathToFileURL(join(API, file)).href)
    }
  })
}
