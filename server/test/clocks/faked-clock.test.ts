import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyAudit } from '#adapters/sql/sqlite/audit/verify.ts'
import { variants } from '../../../test/runs-all.ts'
import { DAY_MS } from '../../src/durations.ts'
import { AUDIT_SECRET } from '../limits/admission-store.ts'
import { openPostgresSampleLog } from '../limits/postgres-sample-log.ts'
import { SECRETS } from '../scale/support/admin-token.ts'
import { sendRaw } from '../support/raw-request.ts'
import { readMails } from '../support/services/mail-files.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { askStore } from '../support/test-store.ts'
import { until } from '../support/until.ts'
import { type FakedService, startFakedService } from './faked-service.ts'

const DAYS = 10
/** Fails the test if the mail is lost. */
const GIVE_UP = { timeout: 120_000 }
/** One epoch a day, so that the sandbox does not have to catch up thousands of epochs after a jump. */
const QUIET = { REFRESH_MS: '30000', SQLITE_SYNCHRONOUS: 'normal', SANDBOX_EPOCH_MS: String(DAY_MS) }
const today = () => Math.floor(Date.now() / DAY_MS)

/** Makes a request that is logged, and runs the jobs that maintain the log twice. */
async function useService(service: FakedService): Promise<void> {
  await sendRaw(service.url, 'GET /api/v1/staking/scoring')
  for (const job of ['sign-audit', 'drop-old-records', 'sign-audit', 'drop-old-records'])
    await service.runJob(job)
}

for (const offset of variants(['-12d'], ['+95d', '+400d'])) {
  test(`a process whose machine's clock is off by ${offset} deletes no day of the embedded audit log`, async () => {
    await using folder = await tempFolder()
    {
      const clock = testClock(Date.now() - (DAYS - 1) * DAY_MS)
      await using app = await openTestApp({ folder: folder.path, clock, env: QUIET })
      for (let day = 0; day < DAYS; day += 1) {
        await app.client().scoring()
        await app.runJob('sign-audit')
        clock.advance(DAY_MS)
      }
    }
    {
      await using service = await startFakedService(offset, { ...QUIET, DATA_DIR: folder.path })
      assert(Math.abs(service.now - Date.now() - Number.parseInt(offset, 10) * DAY_MS) < DAY_MS / 2)
      await useService(service)
      await service.stop()
    }
    const rows = await askStore(folder.path, 'select distinct day from audit_batches')
    const kept = rows.filter(({ day }) => Number(day) > today() - DAYS && Number(day) <= today())
    assert.equal(kept.length, DAYS)
    assert.equal((await verifyAudit(folder.path)).kind, 'intact')
  })
}

for (const offset of variants(['-3d'], ['+2d', '+95d'])) {
  test(`a leader on Postgres whose machine's clock is off by ${offset} deletes no day of the audit log`, async () => {
    await using folder = await tempFolder()
    await using log = await openPostgresSampleLog()
    log.clock.set(Date.now() - (DAYS - 1) * DAY_MS)
    for (let day = 0; day < DAYS; day += 1) {
      await log.addBatch()
      await log.sign()
      if (day < DAYS - 1) log.clock.advance(DAY_MS)
    }
    const env = { ...QUIET, DATA_DIR: folder.path, DATABASE_URL: log.store.url, AUDIT_RETENTION_DAYS: '20' }
    {
      const secrets = { KEY_PEPPER: AUDIT_SECRET, JWT_SECRET: SECRETS.JWT_SECRET }
      await using service = await startFakedService(offset, { ...env, ...secrets })
      await useService(service)
      await service.stop()
    }
    const rows = await log.store.db.selectFrom('audit_batches').select('day').distinct().execute()
    const days = rows.map(({ day }) => day).sort((a, b) => a - b)
    assert.equal(days.length, DAYS)
    // The new record is dated by the clock of the store; midnight may have passed since.
    assert(days.every((day) => day >= today() - DAYS && day <= today()))
    const verdict = await log.verify()
    assert(verdict.kind === 'intact' && verdict.batches >= DAYS + 1)
  })
}

test(
  'a leader on Postgres whose clock is two days ahead delivers the mail that was acknowledged',
  GIVE_UP,
  async () => {
    await using folder = await tempFolder()
    await using database = await migratedDatabase()
    const env = { ...QUIET, ...SECRETS, DATA_DIR: folder.path, DATABASE_URL: database.url }
    {
      await using service = await startFakedService('+0d', { ...env, SMTP_URL: 'smtp://127.0.0.1:1' })
      const json = { email: 'ann@example.com', agentName: 'scout' }
      const answer = await sendRaw(service.url, 'POST /api/v1/agents/self-register', { json })
      assert.equal(answer.status, 201)
      await service.runJob('deliver-mail')
      await service.stop()
    }
    await using service = await startFakedService('+2d', env)
    // The first attempt failed; the mail is due again after some seconds.
    await until(async () => {
      await service.runJob('deliver-mail')
      return (await readMails(folder.path)).length > 0
    })
    assert.equal((await readMails(folder.path))[0]?.to, 'ann@example.com')
  },
)
