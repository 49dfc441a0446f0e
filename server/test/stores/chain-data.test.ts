import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API, OF_CHAIN_DATA } from './api-tests.ts'

/** A look into the store, a second start on it, a job that changes it, a request that it remembers. */
const ABOUT_STORE =
  /changeStore|askStore|storeVariables|storeUnderTest|\.stop\(\)|\bfolder\b|idempotency|runJob\('(?!watch-)/i

/** `api-tests.ts` rests on it: a test that is about what is stored has to run on every store. */
test('tests of the API that are not run on Postgres are about data of the chain only', () => {
  const files = globSync('**/*.test.ts', { cwd: API })
  const isAboutStore = (file: string) => ABOUT_STORE.test(readFileSync(join(API, file), 'utf8'))
  assert(files.filter(isAboutStore).length > 20)
  const leftOut = files.filter((file) => OF_CHAIN_DATA.test(file))
  assert(leftOut.length > 15)
  assert.deepEqual(leftOut.filter(isAboutStore), [])
})
