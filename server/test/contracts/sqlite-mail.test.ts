import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { dropExpired } from '#adapters/sql/stores/drop-expired.ts'
import { sqlOutbox } from '#adapters/sql/stores/outbox.ts'
import { sqlSignInCodes } from '#adapters/sql/stores/sign-in/sign-in-codes.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { outboxSuite } from './suites/outbox.ts'
import { codeFor, NOW } from './suites/sample-codes.ts'
import { signInCodesSuite } from './suites/sign-in-codes.ts'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'the pepper of these tests' })
const otherSecrets = openSecrets({ keyPrefix: 'stk', pepper: 'another pepper' })

async function openEmpty() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path))
  const resources = opened.move()
  return {
    db,
    folder: folder.path,
    outbox: sqlOutbox({ db, secrets }),
    strangersOutbox: sqlOutbox({ db, secrets: otherSecrets }),
    codes: sqlSignInCodes({ db, secrets }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

outboxSuite('SQLite', openEmpty)
signInCodesSuite('SQLite', openEmpty)

const BUDGET = { cap: { key: 'x', limit: 3, since: 0, now: NOW }, resendAfterMs: undefined }

test('the files of the store have neither addresses nor codes in plain text', async () => {
  await using store = await openEmpty()
  await store.codes.issue(
    codeFor('secret-address@example.com', {
      addressDigest: 'x',
      code: { digest: 'x', expiresAt: NOW + 600_000 },
      budgets: { familiar: BUDGET, known: BUDGET, unknown: BUDGET },
    }),
  )
  for (const name of await readdir(store.folder)) {
    const bytes = await readFile(join(store.folder, name))
    assert(!bytes.includes('secret-address') && !bytes.includes('123456'), name)
  }
})

test('a finished mail loses its content, and codes that are over are deleted', async () => {
  await using store = await openEmpty()
  for (const name of ['a', 'b', 'c']) await store.codes.issue(codeFor(`${name}@example.com`))
  const [first, second] = await store.outbox.claim('queued', NOW, NOW, 2)
  assert(first && second)
  await store.outbox.delivered(first)
  await store.outbox.giveUp(second)
  const mails = await store.db.selectFrom('outbox').select(['status', 'sealed']).orderBy('id').execute()
  assert.deepEqual(
    mails.map(({ status, sealed }) => [status, sealed === null]),
    [
      ['delivered', true],
      ['given_up', true],
      ['queued', false],
    ],
  )
  const codes = () => store.db.selectFrom('mailed_codes').select('code_digest').execute()
  await store.codes.issue(codeFor('d@example.com', { now: NOW + 12 * 3_600_000 }))
  assert.equal((await codes()).length, 4)
  assert.equal(await dropExpired(store.db, NOW + 12 * 3_600_000), 3)
  const left = (await codes()).map(({ code_digest }) => code_digest)
  assert.deepEqual(left, ['code of d@example.com'])
})
