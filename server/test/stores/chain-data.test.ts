import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API, OF_CHAIN_DATA } from './api-tests.ts'

/** Source text of tests that depend on the store: reading it, restarting on it, jobs that change it, idempotency. */
const ABOUT_STORE =
  /changeStore|askStore|storeVariables|storeUnderTest|\.stop\(\)|\bfolder\b|idempotency|runJob\('(?!watch-)/i

/** `api-tests.ts` relies on it: a test that depends on stored data has to run on every store. */
test('no test of the API that is skipped on Postgres depends on stored data', () => {
  const files = globSync('**/*.test.ts', { cwd: API })
  const isAboutStore = (file: string) => ABOUT_STORE.test(readFileSync(join(API, file), 'utf8'))
  assert(files.filter(isAboutStore).length > 20)
  const leftOut = files.filter((file) => OF_CHAIN_DATA.test(file))
  assert(leftOut.length > 15)
  assert.deepEqual(leftOut.filter(isAboutStore), [])
})
