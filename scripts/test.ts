/**
 * Runs the tests: all of the embedded service, or the files whose path contains one of the words given
 * (`npm test -- edge sql`). What needs Postgres and Redis is run by name (`npm test -- postgres redis scale`), and the
 * API on another store by `TEST_STORE=postgres npm test -- api` (or `postgres+redis`).
 */
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { POSTGRES_VARIABLE, startPostgres } from '../server/test/postgres-server.ts'
import { REDIS_VARIABLE, startRedis } from '../server/test/redis-server.ts'
import { STORE_VARIABLE } from '../server/test/test-store.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['contract', 'client', 'server', 'cli', 'test', 'scripts', 'bench']
/** Scale-out is not finished: what it has is tested when asked for, and said when not. */
const NEEDS_SERVERS = /postgres|redis|^server\/test\/scale\//
/** Long crash tests that are asked for (docs/reliability.md) need more. */
const TEST_TIMEOUT_MS = Number(process.env['TEST_TIMEOUT_MS'] ?? 120_000)
/** A test that has timed out can still keep its process alive: silence for this long means that one does. */
const SILENCE_MS = TEST_TIMEOUT_MS + 30_000

const words = process.argv.slice(2)
const found = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] })
const store = process.env[STORE_VARIABLE] ?? 'sqlite'
const isWanted = (file: string) =>
  words.length === 0 ? !NEEDS_SERVERS.test(file) : words.some((word) => file.includes(word))
const files = found.filter(isWanted).sort()
if (files.length === 0) {
  fail(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`)
} else {
  await using opened = new AsyncDisposableStack()
  const isServed = store !== 'sqlite' || files.some((file) => NEEDS_SERVERS.test(file))
  const servers = isServed ? await startServers(opened) : {}
  await runFiles(files, { ...servers, [STORE_VARIABLE]: store })
  if (words.length === 0) {
    const left = found.filter((file) => NEEDS_SERVERS.test(file)).length
    console.log(
      `\nNot run: ${left} files that need Postgres and Redis. To run them: npm test -- postgres redis scale`,
    )
  }
}

/** One of each for all files: they have databases and names of their own in them. */
async function startServers(opened: AsyncDisposableStack): Promise<Record<string, string>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  opened.use(postgres)
  opened.use(redis)
  return { [POSTGRES_VARIABLE]: postgres.url, [REDIS_VARIABLE]: redis.url }
}

async function runFiles(chosen: readonly string[], variables: Record<string, string>): Promise<void> {
  const running = new Set<string>()
  const hanging = new AbortController()
  const silence = setTimeout(() => {
    fail(`These do not end:\n${[...running].map((file) => `  ${relative(ROOT, file)}`).join('\n')}`)
    hanging.abort()
  }, SILENCE_MS)
  const results = run({
    files: chosen.map((file) => join(ROOT, file)),
    cwd: ROOT,
    concurrency: Math.max(2, availableParallelism()),
    timeout: TEST_TIMEOUT_MS,
    signal: hanging.signal,
    env: { ...process.env, ...variables },
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
  const printed = results.compose(spec)
  printed.pipe(process.stdout, { end: false })
  await new Promise((resolve) => printed.once('end', resolve))
  clearTimeout(silence)
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}
