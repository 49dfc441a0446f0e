/** Runs the tests: all of them, or the files whose path contains one of the words given (`npm test -- edge sql`). */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['contract', 'client', 'server', 'cli', 'test', 'scripts', 'bench']
const TEST_TIMEOUT_MS = 120_000
/** A test that has timed out can still keep its process alive: silence for this long means that one does. */
const SILENCE_MS = TEST_TIMEOUT_MS + 30_000

const words = process.argv.slice(2)
const files = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] })
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()
  .map((file) => join(ROOT, file))
if (files.length === 0) {
  fail(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`)
  process.exit()
}

const running = new Set<string>()
const hanging = new AbortController()
const silence = setTimeout(stopHanging, SILENCE_MS)
const results = run({
  files,
  cwd: ROOT,
  concurrency: Math.max(2, availableParallelism()),
  timeout: TEST_TIMEOUT_MS,
  signal: hanging.signal,
})
results.on('data', () => silence.refresh())
results.on('test:dequeue', ({ name, file }) => name === file && running.add(name))
results.on('test:complete', ({ name, file }) => name === file && running.delete(name))
results.on('test:pass', ({ name, file }) => {
  if (name === file) fail(`${relative(ROOT, name)} has no tests.`)
})
results.on('test:summary', (summary) => {
  if (!summary.success) process.exitCode = 1
})
results.on('end', () => clearTimeout(silence))
results.compose(spec).pipe(process.stdout)

function stopHanging(): void {
  fail(`These do not end:\n${[...running].map((file) => `  ${relative(ROOT, file)}`).join('\n')}`)
  hanging.abort()
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}
