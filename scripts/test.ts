/**
 * Runs the tests: those of every part, with `--all` also those that are left to CI (`left-to-ci.ts`), or the files whose
 * path contains one of the words given (`npm test -- edge sql`).
 * The Postgres and Redis servers that they need are started here, one of each for all files, and stopped at the end. To
 * run API tests on another store: `TEST_STORE=postgres npm test -- rotate` (or `postgres+redis`).
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { RUN_FOLDER_VARIABLE } from '../server/test/support/first-start/copied-store.ts'
import { memoryFolder, serverFolder } from '../server/test/support/server-process.ts'
import { POSTGRES_VARIABLE, startPostgres } from '../server/test/support/services/postgres-server.ts'
import { REDIS_VARIABLE, startRedis } from '../server/test/support/services/redis-server.ts'
import { STORE_VARIABLE } from '../server/test/support/test-store.ts'
import { CPU_TIMES_VARIABLE, cpuSeconds } from '../test/cpu-time.ts'
import { numberVariable } from '../test/number-variable.ts'
import { ALL_VARIABLE } from '../test/runs-all.ts'
import { describeLeftToCi, isLeftToCi } from './left-to-ci.ts'
import { batchFiles } from './test-batches.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = ['contract', 'client', 'verify', 'server', 'cli', 'test', 'scripts', 'bench', 'web']
/** Long crash tests (docs/reliability.md) need more, and so do properties with more runs. */
const TEST_TIMEOUT_MS = numberVariable(
  'TEST_TIMEOUT_MS',
  300_000 * Math.max(1, numberVariable('PROPERTY_RUNS', 1) / 10),
)
/** A test that has timed out can still keep its process alive. No events for this long means that one hangs. */
const SILENCE_MS = TEST_TIMEOUT_MS + 30_000

/** Servers, with the test files that need them by path or by the chosen store. */
const SERVERS = [
  { name: 'Redis', needs: /redis|^test\/ops\/image/, variable: REDIS_VARIABLE, start: startRedis },
  {
    name: 'Postgres',
    needs: /postgres|^server\/test\/scale\/|^test\/ops\/(?:board|image\/)/,
    variable: POSTGRES_VARIABLE,
    start: startPostgres,
  },
] as const
/** The slowest files start first, so that the run does not end with a single slow one. */
const LONGEST_FIRST = [
  /^server\/test\/stores\/api-on-postgres/,
  /rolling-restart|^test\/(?:ops\/image|packages)\//,
  /^web\/test\/browser\//,
  /^test\/(?:e2e|ops)\/|^server\/test\/(?:clocks|faults|mcp|scale|stores|sui)\//,
] as const

/** These files together import every API test on SQLite, so that a few processes replace one per file. */
const API_IN_PARTS = /^server\/test\/stores\/api-on-sqlite/
const API_FILES = /^server\/test\/api\//

/** How many of the slowest files are printed. */
const SLOWEST_SHOWN = 20
/** Up to this many files run without batches, in a process each, so that failures are easy to tell apart. */
const FEW = 20
/** Loaded before every test file. */
const PRELOADED = ['scripts/resolve-once.mjs', 'test/property-seed.ts', 'test/cpu-time.ts']
/** Loaded as well for runs of many files. */
const PRELOADED_BY_MANY = ['test/untracked.ts']

/** Two more than there are cores: many tests wait for processes to start, end or crash. */
const CONCURRENCY = availableParallelism() + 2

/** Tests or test files that could not be run on this machine. */
type NotRun = { readonly reason: string; readonly tests: readonly string[] }

const ALL = '--all'
const words = process.argv.slice(2).filter((word) => word !== ALL)
const runsWhole = words.length > 0 || process.argv.includes(ALL)
const store = process.env[STORE_VARIABLE] ?? 'sqlite'
const chosen = withoutRepeats(
  globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: ROOT, exclude: ['**/node_modules/**'] }).filter(
    (file) =>
      words.length === 0 ? runsWhole || !isLeftToCi(file) : words.some((word) => file.includes(word)),
  ),
).sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
if (chosen.length === 0) {
  fail(words.length === 0 ? 'There are no tests.' : `No test file has ${words.join(' or ')} in its path.`)
} else {
  await using opened = new AsyncDisposableStack()
  // In memory: data survive a killed process there, and no test simulates a power cut.
  const folder = opened.use(await serverFolder('run', undefined, await memoryFolder())).path
  const { files, leftOut, variables } = await startServers(chosen, opened)
  const cpuTimes = process.env[CPU_TIMES_VARIABLE] ?? join(folder, 'cpu-times')
  const shared = {
    ...variables,
    [STORE_VARIABLE]: store,
    [RUN_FOLDER_VARIABLE]: folder,
    [ALL_VARIABLE]: runsWhole ? '1' : '0',
  }
  const batches = join(folder, 'batches')
  const skipped =
    files.length > 0 ? await runFiles(files, batches, { ...shared, [CPU_TIMES_VARIABLE]: cpuTimes }) : []
  if (files.length > SLOWEST_SHOWN && existsSync(cpuTimes)) printSlowestFiles(readFileSync(cpuTimes, 'utf8'))
  for (const missing of [...skipped, ...leftOut]) report(missing)
  if (!runsWhole) say(describeLeftToCi())
}

function rankOf(file: string): number {
  const rank = LONGEST_FIRST.findIndex((pattern) => pattern.test(file))
  return rank < 0 ? LONGEST_FIRST.length : rank
}

/** Drops duplicates: API tests run through the files of `API_IN_PARTS`, or by their own files if those are chosen. */
function withoutRepeats(files: readonly string[]): string[] {
  const isInParts = store === 'sqlite' && files.some((file) => API_IN_PARTS.test(file))
  return files.filter((file) => !(isInParts ? API_FILES : API_IN_PARTS).test(file))
}

/** Starts the needed servers. Files whose server cannot be started are left out and reported at the end. */
async function startServers(wanted: readonly string[], opened: AsyncDisposableStack) {
  const variables: Record<string, string> = {}
  const leftOut: NotRun[] = []
  let files = wanted
  for (const { name, needs, variable, start } of SERVERS) {
    const depending = files.filter((file) => needs.test(store) || needs.test(file))
    if (depending.length === 0) continue
    say(`Starting ${name} …`)
    try {
      const server = opened.use(await start())
      variables[variable] = server.url
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      leftOut.push({ reason: `${name} could not be started: ${reason}`, tests: depending })
      files = files.filter((file) => !depending.includes(file))
    }
  }
  return { files, leftOut, variables }
}

/** Reports tests that were not run. In CI, or if the tests were chosen by words, this is a failure. */
function report({ reason, tests }: NotRun): void {
  console.error(`\nNot run (${reason}):\n${tests.map((each) => `  ${each}`).join('\n')}`)
  if (words.length > 0 || process.env['CI']) process.exitCode = 1
}

async function runFiles(
  files: readonly string[],
  folder: string,
  variables: Record<string, string>,
): Promise<readonly NotRun[]> {
  const running = new Set<string>()
  const areMany = files.length > FEW
  const batches = batchFiles(ROOT, files, areMany ? folder : undefined)
  const preloaded = areMany ? [...PRELOADED, ...PRELOADED_BY_MANY] : PRELOADED
  const startedAt = Date.now()
  let done = 0
  say(`Running ${files.length} test files, ${CONCURRENCY} at a time …`)
  const hanging = new AbortController()
  const silence = setTimeout(() => {
    fail(`These do not end:\n${[...running].map((file) => `  ${relative(ROOT, file)}`).join('\n')}`)
    hanging.abort()
  }, SILENCE_MS)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      fail(`Stopped by ${signal}.`)
      hanging.abort()
    })
  }
  const results = run({
    files: [...batches.files],
    cwd: ROOT,
    execArgv: preloaded.flatMap((file) => ['--import', pathToFileURL(join(ROOT, file)).href]),
    concurrency: CONCURRENCY,
    timeout: TEST_TIMEOUT_MS,
    signal: hanging.signal,
    env: { ...process.env, ...variables },
  })
  results.on('data', () => silence.refresh())
  results.on('test:dequeue', ({ name, file }) => name === file && running.add(name))
  results.on('test:complete', ({ name, file }) => {
    if (name !== file || !running.delete(name)) return
    done += batches.sizeOf(name)
    say(`${done} of ${files.length} files, ${Math.round((Date.now() - startedAt) / 1_000)} s`)
  })
  const skipped: NotRun[] = []
  results.on('test:pass', ({ name, file = '', skip }) => {
    if (name === file) fail(`${relative(ROOT, name)} has no tests.`)
    if (skip) skipped.push({ reason: skipReason(skip), tests: [`${relative(ROOT, file)}: ${name}`] })
  })
  results.on('test:summary', (summary) => {
    if (!summary.success) process.exitCode = 1
  })
  const printed = results.compose(spec)
  printed.pipe(process.stdout, { end: false })
  await new Promise((resolve) => printed.once('end', resolve))
  clearTimeout(silence)
  return skipped
}

/** Prints the files with the most processor time. */
function printSlowestFiles(cpuTimes: string): void {
  const lines = cpuTimes.trimEnd().split('\n')
  const files = lines
    .map((line) => line.split(' '))
    .map(([seconds, file]) => ({ seconds: Number(seconds), file }))
  say(`${cpuSeconds().toFixed(0)} s of processor time so far. The files that took most:`)
  for (const { file, seconds } of files.toSorted((a, b) => b.seconds - a.seconds).slice(0, SLOWEST_SHOWN))
    say(`${seconds.toFixed(0).padStart(6)}  ${file}`)
}

/** A skipped test lacks something and says what; a test that does not apply is not defined at all. */
function skipReason(skip: string | boolean): string {
  return typeof skip === 'string' ? skip : 'it does not say what it lacks'
}

/** Prints progress to standard error: standard output has the report. */
function say(text: string): void {
  process.stderr.write(`${text}\n`)
}

function fail(reason: string): void {
  console.error(reason)
  process.exitCode = 1
}
