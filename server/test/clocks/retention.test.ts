import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '#ports/logger.ts'
import { variants } from '../../../test/runs-all.ts'
import { DAY_MS } from '../../src/durations.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'
import { askStore } from '../support/test-store.ts'

const START = Date.UTC(2026, 5, 1, 12)
const DAYS = 10

/** Makes a request, and runs the jobs that maintain the audit log. */
async function useService(app: TestApp): Promise<void> {
  await app.runJob('watch-network')
  await app.client().validators()
  await app.runJob('sign-audit')
  await app.runJob('drop-old-records')
}

async function recordedDays(folder: string): Promise<readonly number[]> {
  const rows = await askStore(folder, 'select distinct day from audit_batches order by day')
  return rows.map(({ day }) => Number(day) - Math.floor(START / DAY_MS))
}

for (const days of variants([-400, 95], [-12, -3, 2, 400])) {
  test(`a start with a clock that is ${days} days off deletes nothing of the audit log`, async () => {
    await using folder = await tempFolder()
    // One epoch a day, so that the sandbox does not have to catch up thousands of epochs after a jump.
    const env = { AUDIT_RETENTION_DAYS: '90', REFRESH_MS: '30000', SANDBOX_EPOCH_MS: String(DAY_MS) }
    const warnings: string[] = []
    const logger: Logger = { ...silentLogger, warn: (event) => void warnings.push(event) }
    const open = (now: number) => openTestApp({ folder: folder.path, env, logger, clock: testClock(now) })
    {
      await using app = await open(START)
      for (let day = 0; day < DAYS; day += 1) {
        await useService(app)
        if (day < DAYS - 1) app.clock.advance(DAY_MS)
      }
    }
    const before = await recordedDays(folder.path)
    assert.deepEqual(before, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    const last = START + (DAYS - 1) * DAY_MS
    {
      await using app = await open(last + days * DAY_MS)
      await useService(app)
      await useService(app)
    }
    {
      await using app = await open(last)
      await useService(app)
    }
    const after = await recordedDays(folder.path)
    assert.deepEqual(
      after.filter((day) => day >= 0 && day < DAYS),
      before,
    )
    const isWarned = warnings.includes('the clock is behind the audit log')
    assert.equal(
      isWarned,
      true,
      'warned at the second start if its clock was behind, at the third if it had been ahead',
    )
  })
}
