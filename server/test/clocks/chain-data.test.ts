import assert from 'node:assert/strict'
import { test } from 'node:test'
import { variants } from '../../../test/runs-all.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { openChainApp } from '../support/chain-app.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { testClock } from '../support/test-clock.ts'

const START = Date.UTC(2026, 5, 15, 12)
const STEPS = variants([HOUR_MS, 400 * DAY_MS], [2 * DAY_MS])
/** A refresh interval so long that the chain is read only when the test runs the job. */
const env = { REFRESH_MS: '30000' }

for (const ahead of STEPS) {
  const title = `${ahead / HOUR_MS} hours`

  test(`sandbox data from a clock that was ${title} ahead are replaced at the next start with a correct clock`, async () => {
    await using folder = await tempFolder()
    const clock = testClock(START + ahead)
    {
      await using app = await openTestApp({ folder: folder.path, env, clock })
      for (let look = 0; look < 3; look += 1) {
        clock.advance(10_000)
        await app.runJob('watch-network')
      }
    }
    clock.set(START)
    await using app = await openTestApp({ folder: folder.path, env, clock })
    await assertFresh(app, 0)
    clock.advance(5 * MINUTE_MS)
    await assertFresh(app, 300)
    await app.runJob('watch-network')
    await assertFresh(app, 0)
  })

  test(`a running sandbox whose clock is set back by ${title} is ready again after the next read`, async () => {
    await using app = await openTestApp({ env, clock: testClock(START + ahead) })
    app.clock.set(START)
    assert.equal((await fetch(`${app.url}/readyz`)).status, 503)
    await app.runJob('watch-network')
    await assertFresh(app, 0)
  })
}

test('503: data of a real chain are not served while the clock is behind the chain', async () => {
  await using app = await openChainApp('ika')
  await assertFresh(app, undefined)
  app.clock.advance(-2 * DAY_MS)
  await assert.rejects(app.runJob('watch-network'), { code: 'rpc_unavailable' })
  assert.equal((await fetch(`${app.url}/readyz`)).status, 503)
  assert.equal((await fetch(`${app.url}/api/v1/staking/epoch`)).status, 503)
  app.clock.advance(2 * DAY_MS)
  await app.runJob('watch-network')
  await assertFresh(app, undefined)
})

async function assertFresh(app: TestApp, ageSeconds: number | undefined): Promise<void> {
  assert.equal((await fetch(`${app.url}/readyz`)).status, 200)
  const { dataAgeSeconds } = await app.client().epoch()
  if (ageSeconds !== undefined) assert.equal(dataAgeSeconds, ageSeconds)
}
