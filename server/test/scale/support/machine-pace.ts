import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const SAMPLE_EVERY_MS = 500
/** Work that is long enough to be preempted by other processes. */
const BLOCK = Buffer.alloc(1024 * 1024)
const BLOCKS = 24

export type MachinePace = AsyncDisposable & {
  /** Wall time of the work / its processor time: 1 on an idle machine. */
  slowdown(): number
}

/**
 * Measures in the background how busy the machine is with other processes. Multiply time limits of work by the
 * slowdown; times that timers decide do not depend on it.
 */
export function watchPace(): MachinePace {
  const spent = { wallMs: 0, processorMs: 0 }
  const stopped = new AbortController()
  const sample = (): void => {
    const [startedAt, before] = [performance.now(), process.cpuUsage()]
    const hash = createHash('sha256')
    for (let block = 0; block < BLOCKS; block += 1) hash.update(BLOCK)
    hash.digest()
    const { user, system } = process.cpuUsage(before)
    spent.wallMs += performance.now() - startedAt
    spent.processorMs += (user + system) / 1_000
  }
  const sampling = (async () => {
    while (!stopped.signal.aborted) {
      sample()
      await setTimeout(SAMPLE_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()
  return {
    slowdown: () => Math.max(1, spent.wallMs / spent.processorMs),
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await sampling
    },
  }
}
