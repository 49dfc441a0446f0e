import { readdirSync, readFileSync } from 'node:fs'

/** The kernel's counters of a process since its start. Linux only. */
export type ProcessCounters = {
  readonly cpuSeconds: number
  /** Write system calls of any kind: sockets, log, database. */
  readonly writeCalls: number
  /** Bytes passed to the kernel by those calls. */
  readonly bytesWritten: number
}

export function processCounters(pid: number): ProcessCounters {
  const io = readFileSync(`/proc/${pid}/io`, 'utf8')
  const counter = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1] ?? 0)
  return {
    cpuSeconds: cpuSecondsOf(pid),
    writeCalls: counter('syscw'),
    bytesWritten: counter('wchar'),
  }
}

/**
 * The processor time of all live threads: V8 and the database checkpoint use threads beside the main one. `schedstat`
 * counts nanoseconds; the ticks of `stat` are too coarse for short slices.
 */
export function cpuSecondsOf(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((task) =>
    Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e9
}

/** Starts measuring; the returned function gives the share of time that the hypervisor has stolen since. */
export function stolenShare(): () => number {
  const start = machineTicks()
  return () => {
    const end = machineTicks()
    return (end.stolen - start.stolen) / Math.max(1, end.all - start.all)
  }
}

function machineTicks() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const ticks = line.split(/\s+/).slice(1).map(Number)
  return { all: ticks.reduce((sum, count) => sum + count, 0), stolen: ticks[7] ?? 0 }
}
