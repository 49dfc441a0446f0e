import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 250
const LONG_LOG_PAGES = 4_096

const database = new DatabaseSync(String(workerData), { timeout: PAUSE_MS })
// Passive takes what it can and waits for nobody, so that nobody waits for it. Under writes without a pause it never
// meets the end of the log, which then grows: restart holds the writers back for the few pages that are left.
const passive = database.prepare('pragma wal_checkpoint(passive)')
const restart = database.prepare('pragma wal_checkpoint(restart)')

const timer = setInterval(() => {
  try {
    const done = passive.get()
    if (Number(done?.['log']) > LONG_LOG_PAGES) restart.get()
  } catch {
    // A disk that is full or fails may work again at the next try; whoever commits is told meanwhile.
  }
}, PAUSE_MS)

parentPort?.once('message', () => {
  clearInterval(timer)
  database.close()
})
