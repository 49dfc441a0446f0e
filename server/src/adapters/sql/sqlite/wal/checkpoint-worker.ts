import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const PAUSE_MS = 250
const LONG_LOG_PAGES = 4_096
/**
 * Under continuous writes a passive checkpoint lags behind the WAL's end by the frames that are written while it
 * runs.
 */
const MAX_PAGES_BEHIND = 1_024
/** How long paused writers wait for a reader to end. */
const HOLD_MS = 20

const database = new DatabaseSync(String(workerData), { timeout: HOLD_MS })
// A passive checkpoint neither waits nor blocks, but under continuous writes it never reaches the end of the WAL,
// which then grows. A restart checkpoint does, and locks writers out while the disk works: so writers are paused
// first, and queue instead of failing at the lock.
const passive = database.prepare('pragma wal_checkpoint(passive)')
const restart = database.prepare('pragma wal_checkpoint(restart)')
const stopping = new AbortController()

parentPort?.on('message', (message) => {
  if (message === 'stop') stopping.abort()
})

/** A long reader such as a backup keeps all later writes in the WAL: pausing writers would not help. */
const isBlockedByReader = ({ log, checkpointed }: { log: number; checkpointed: number }): boolean =>
  log - checkpointed > MAX_PAGES_BEHIND

async function shortenWal(): Promise<void> {
  const done = passive.get()
  const [log, checkpointed] = [Number(done?.['log']), Number(done?.['checkpointed'])]
  if (log <= LONG_LOG_PAGES || isBlockedByReader({ log, checkpointed }) || !parentPort) return
  parentPort.postMessage('hold')
  try {
    await once(parentPort, 'message', { signal: stopping.signal })
    restart.get()
  } finally {
    parentPort.postMessage('go on')
  }
}

while (!stopping.signal.aborted) {
  // A full or failing disk may recover before the next try; committing requests see the error meanwhile.
  await shortenWal().catch(() => {})
  await setTimeout(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
}
database.close()
parentPort?.close()
