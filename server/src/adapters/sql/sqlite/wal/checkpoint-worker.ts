import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 250
const LONG_LOG_PAGES = 4_096
/** Under writes without a pause, passive stays behind the end of the log by what was written meanwhile. */
const MOST_PAGES_BEHIND = 1_024
/** How long writers, who were asked to hold, wait for a reader to end. */
const HOLD_MS = 20

const database = new DatabaseSync(String(workerData), { timeout: HOLD_MS })
// Passive takes what it can and waits for nobody, so that nobody waits for it. Under writes without a pause it never
// meets the end of the log, which then grows. Restart does, and locks writers out for as long as the disk takes: so
// they are asked to hold first, and wait for their turn instead of failing at a lock.
const passive = database.prepare('pragma wal_checkpoint(passive)')
const restart = database.prepare('pragma wal_checkpoint(restart)')
const stopping = new AbortController()

parentPort?.on('message', (message) => {
  if (message === 'stop') stopping.abort()
})

/** A reader that stays, such as a backup, keeps all that was written since it began in the log: holding cannot help. */
const isReaderInTheWay = ({ log, checkpointed }: { log: number; checkpointed: number }): boolean =>
  log - checkpointed > MOST_PAGES_BEHIND

async function keepShort(): Promise<void> {
  const done = passive.get()
  const [log, checkpointed] = [Number(done?.['log']), Number(done?.['checkpointed'])]
  if (log <= LONG_LOG_PAGES || isReaderInTheWay({ log, checkpointed }) || !parentPort) return
  parentPort.postMessage('hold')
  try {
    await once(parentPort, 'message', { signal: stopping.signal })
    restart.get()
  } finally {
    parentPort.postMessage('go on')
  }
}

while (!stopping.signal.aborted) {
  // A disk that is full or fails may work again at the next try; whoever commits is told meanwhile.
  await keepShort().catch(() => {})
  await setTimeout(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
}
database.close()
parentPort?.close()
