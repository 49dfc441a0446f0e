/**
 * Loaded before every test file: tells the run how much processor time the file took, with all processes that it
 * started and that have ended. Wall time says little where files run beside each other.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** The variable in which a test run tells its files where to write it. */
export const CPU_TIMES_VARIABLE = 'TEST_CPU_TIMES'

const ROOT = join(import.meta.dirname, '..')
/** What `/proc` counts in, on every Linux. */
const TICKS_PER_SECOND = 100

/** Seconds of this process and of its ended children; 0 where the system does not tell. */
export function cpuSeconds(): number {
  try {
    // The name, in parentheses, may have spaces itself.
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(/\) (?=[^)]*$)/)
    const ticks = fields.split(' ').slice(11, 15).map(Number)
    return ticks.reduce((sum, each) => sum + each, 0) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

const report = process.env[CPU_TIMES_VARIABLE]
const file = process.argv[1] ?? ''
if (isMainThread && report && /\.test\.(?:ts|mjs)$/.test(file)) {
  process.once('exit', () => appendFileSync(report, `${cpuSeconds()} ${nameOf(file)}\n`))
}

/** A batch of files is written outside of the workspace. */
function nameOf(path: string): string {
  const inside = relative(ROOT, path)
  return inside.startsWith('..') ? basename(path) : inside
}
