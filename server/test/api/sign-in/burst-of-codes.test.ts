import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { sendRaw } from '../../support/raw-request.ts'
import { registerAgent, signIn } from '../../support/registered-agent.ts'
import { codeOf, longCodeOf, newestMail } from '../../support/services/mail-files.ts'
import { testDatabase } from '../../support/services/postgres-server.ts'
import { openTestApp } from '../../support/test-app.ts'
import { postgresVariables } from '../../support/test-store.ts'
import { until } from '../../support/until.ts'

const ANN = 'ann@example.com'
const BOB = 'bob@example.com'
const STRANGERS = 40
/** The attempts with mailed codes that may hold a connection at once, of the eight of an instance. */
const AT_ONCE = 2

/** Locks the mailed codes, so that every attempt waits, and counts the waiting attempts. */
async function holdCodes(url: string) {
  const [holder, observer] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([holder.connect(), observer.connect()])
  await holder.query('begin')
  await holder.query('select from mailed_codes for update')
  return {
    async waiting() {
      const { rows } = await observer.query(
        "select count(*)::integer as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
      return Number(rows[0]?.count)
    },
    release: () => holder.query('rollback'),
    async [Symbol.asyncDispose]() {
      await Promise.all([holder.end(), observer.end()])
    },
  }
}

test('wrong codes of strangers hold two connections to Postgres, and all other calls go on', async () => {
  await using database = await testDatabase()
  await using app = await openTestApp({
    env: { ...postgresVariables(database.url), TRUST_PROXY_HOPS: '1' },
  })
  const bob = app.client({ token: await signIn(app, BOB) })
  const agent = await registerAgent(app, { email: BOB })
  await app.client().requestCode({ email: ANN })
  await app.runJob('deliver-mail')
  const mail = await newestMail(app.folder, ANN)
  const wrong = codeOf(mail) === '000000' ? '000001' : '000000'
  const guess = (code: string) => (_: unknown, at: number) =>
    sendRaw(app.url, 'POST /api/v1/auth/token', {
      headers: ['X-Forwarded-For', `198.51.100.${at}`],
      json: { email: ANN, code },
    })
  await using codes = await holdCodes(database.url)
  const guesses = Array.from({ length: STRANGERS }, guess(wrong))
  await until(async () => (await codes.waiting()) >= AT_ONCE)
  for (let count = 0; count < 10; count += 1) await bob.listSessions()
  await bob.rotateKey({ id: agent.id })
  assert.equal(await codes.waiting(), AT_ONCE)
  // The long code has its own queue: it waits for the lock alone, not behind the guesses.
  const owner = app.client().exchangeCode({ email: ANN, code: longCodeOf(mail) })
  await until(async () => (await codes.waiting()) === AT_ONCE + 1)
  await codes.release()
  await owner
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.deepEqual(statuses, Array(STRANGERS).fill(401))
})
