import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

const SAMPLE_EVERY_MS = 500
/** A piece of work that is long enough for others to get the processor in the middle of it. */
const BLOCK = Buffer.alloc(1024 * 1024)
const BLOCKS = 24

export type MachinePace = AsyncDisposable & {
  /** How many times longer than its processor time work has taken so far: 1 on a machine with nothing else to do. */
  slowdown(): number
}

/**
 * Measures, beside what a test waits for, how busy the machine is with others. What timers decide takes as long on every
 * machine, the rest so many times longer.
 */
export function watchPace(): MachinePace {
  const spent = { wallMs: 0, processorMs: 0 }
  const over = new AbortController()
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
    while (!over.signal.aborted) {
      sample()
      await setTimeout(SAMPLE_EVERY_MS, undefined, { signal: over.signal }).catch(() => {})
    }
  })()
  return {
    slowdown: () => Math.max(1, spent.wallMs / spent.processorMs),
    async [Symbol.asyncDispose]() {
      over.abort()
      await sampling
    },
  }
}
