/**
 * Loaded before every test file: reports the processor time of the file, including its ended child processes. Wall time
 * says little while files run in parallel.
 */
import { appendFileSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { isMainThread } from 'node:worker_threads'

/** The variable with the path of the report, set by the test run. */
export const CPU_TIMES_VARIABLE = 'TEST_CPU_TIMES'

const ROOT = join(import.meta.dirname, '..')
/** The unit of `/proc` on every Linux. */
const TICKS_PER_SECOND = 100

/** Processor seconds of this process and its ended children; 0 on systems without `/proc`. */
export function cpuSeconds(): number {
  try {
    // The process name, in parentheses, may contain spaces.
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

/** The path in the workspace, or the file name of a batch, which is outside of it. */
function nameOf(path: string): string {
  const inside = relative(ROOT, path)
  return inside.startsWith('..') ? basename(path) : inside
}
