import { readdirSync } from 'node:fs'
import {
  constants,
  monitorEventLoopDelay,
  type PerformanceEntry,
  type PerformanceNodeEntry,
  PerformanceObserver,
} from 'node:perf_hooks'
import { exposeValue, histogram } from './prometheus-text.ts'

/** The process that is measured. */
export type MeasuredProcess = Pick<NodeJS.Process, 'cpuUsage' | 'memoryUsage'>

const GC_SECONDS = [0.001, 0.01, 0.1, 1]
const GC_KINDS: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
  [constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
}

/** CPU time, memory, garbage collections and event-loop lag, under the usual names for Node dashboards. */
export function processMeters(measured: MeasuredProcess): { expose(): string } {
  const collections = histogram('nodejs_gc_duration_seconds', 'Time of garbage collections.', GC_SECONDS)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      collections.observe(collections.series(`kind="${toGcKind(entry)}"`), entry.duration / 1000)
    }
  }).observe({ entryTypes: ['gc'] })
  const delays = monitorEventLoopDelay({ resolution: 10 })
  delays.enable()

  /** Lag since the last scrape. */
  function exposeLag(): string {
    const { mean, max } = delays
    const seconds = {
      mean,
      max,
      p50: delays.percentile(50),
      p90: delays.percentile(90),
      p99: delays.percentile(99),
    }
    delays.reset()
    return Object.entries(seconds)
      .map(([what, ns]) =>
        exposeValue('gauge', `nodejs_eventloop_lag_${what}_seconds`, `Event-loop lag, ${what}.`, ns / 1e9),
      )
      .join('')
  }

  return { expose: () => exposeUsage(measured) + exposeLag() + collections.expose() }
}

function exposeUsage(measured: MeasuredProcess): string {
  const { user, system } = measured.cpuUsage()
  const { rss, heapTotal, heapUsed, external } = measured.memoryUsage()
  return [
    exposeValue('counter', 'process_cpu_user_seconds_total', 'Processor time of the program.', user / 1e6),
    exposeValue('counter', 'process_cpu_system_seconds_total', 'Processor time of the kernel.', system / 1e6),
    exposeValue('counter', 'process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
    exposeValue('gauge', 'process_start_time_seconds', 'When it started.', performance.timeOrigin / 1000),
    exposeValue('gauge', 'process_resident_memory_bytes', 'Resident memory.', rss),
    exposeValue('gauge', 'process_open_fds', 'Open descriptors.', countDescriptors()),
    exposeValue('gauge', 'nodejs_heap_size_total_bytes', 'Heap reserved.', heapTotal),
    exposeValue('gauge', 'nodejs_heap_size_used_bytes', 'Heap used.', heapUsed),
    exposeValue('gauge', 'nodejs_external_memory_bytes', 'Memory of objects outside the heap.', external),
  ].join('')
}

/** Undefined on systems without /proc. */
function countDescriptors(): number | undefined {
  try {
    // Minus the descriptor of the folder itself.
    return readdirSync('/proc/self/fd').length - 1
  } catch {
    return undefined
  }
}

/** Safe because only entries of type `gc` are observed, whose `detail` has the kind. */
function toGcKind(entry: PerformanceEntry): string {
  return GC_KINDS[(entry as PerformanceNodeEntry).detail.kind] ?? 'other'
}
