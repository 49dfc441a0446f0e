/** Runs the tests: all of them, or the files whose path contains one of the words given (`npm test -- edge sql`). */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['contract', 'client', 'server', 'cli', 'test', 'scripts', 'bench']
/** For a whole file: a test that hangs fails, instead of stopping everything. */
const FILE_TIMEOUT_MS = 120_000

const words = process.argv.slice(2)
const files = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .map((file) => join(ROOT, file))

if (files.length === 0) {
  console.error(
    words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`,
  )
  process.exit(1)
}

let passed = 0
const results = run({
  files,
  cwd: ROOT,
  concurrency: Math.max(2, availableParallelism()),
  timeout: FILE_TIMEOUT_MS,
})
results.on('test:fail', () => {
  process.exitCode = 1
})
results.on('test:summary', (summary) => {
  if (!summary.success) process.exitCode = 1
  if (summary.file === undefined) passed = summary.counts.passed
})
results.compose(spec).pipe(process.stdout)
results.on('end', () => {
  if (passed > 0) return
  console.error('Not one test has passed.')
  process.exitCode = 1
})
