/** The service with the same clocks as in `main.ts`. The parent process runs its jobs by messages. */
import { followingClock } from '#adapters/system/following-clock.ts'
import { prometheusMeters } from '#adapters/system/metrics/prometheus-meters.ts'
import { systemClock } from '#adapters/system/system-clock.ts'
import { readConfig } from '../../src/config.ts'
import { openApp } from '../../src/wiring/app.ts'
import { TIMEOUTS } from '../support/services/test-postgres.ts'
import { silentLogger } from '../support/silent-logger.ts'

const read = readConfig()
if (read.kind === 'wrong') throw new Error(read.problems.join(' '))
const isShared = read.config.database.kind === 'postgres'
const app = await openApp(read.config, {
  clock: isShared ? followingClock({ own: systemClock }) : systemClock,
  logger: silentLogger,
  meters: prometheusMeters({ ofProcess: false }),
  random: Math.random,
  version: '0.1.0',
  forTests: { storeTimeouts: TIMEOUTS },
})
const { url } = await app.listen()

process.on('message', async (job: string) => {
  if (job === 'stop') {
    await app.stop(1_000)
    process.disconnect?.()
    return
  }
  process.send?.(await app.runJob(job).then(() => 'done', String))
})
process.send?.({ url, now: Date.now() })
