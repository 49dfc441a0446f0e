import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { tempFolder } from '../server/test/support/temp-folder.ts'
import { isLeftToCi, LEFT_TO_CI } from './left-to-ci.ts'
import { batchFiles } from './test-batches.ts'

const ROOT = join(import.meta.dirname, '..')

const REPETITIONS = join(ROOT, 'server', 'test', 'support', 'repetitions.ts')
/** A file with a test that needs OpenSSL. */
const PINS = 'cli/test/pins.test.ts'

test('exit 1 in CI: a test that is skipped for lack of a program is listed with the reason', async () => {
  await using empty = await tempFolder()
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const args = [join(import.meta.dirname, 'test.ts'), PINS]
  const options = { env: { ...env, PATH: empty.path, CI: 'true' }, encoding: 'utf8' } as const
  const { status, stderr, stdout } = spawnSync(process.execPath, args, options)
  assert.match(
    stderr,
    /^Not run \(there is no OpenSSL here\):\n {2}cli\/test\/pins\.test\.ts: OpenSSL signs/m,
  )
  assert.match(stdout, /^ℹ fail 0$/m)
  assert.equal(status, 1)
})

test('without promise tracking in the runner, an uncaught error still fails its file', async () => {
  await using folder = await tempFolder()
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const untracked = pathToFileURL(join(ROOT, 'test', 'untracked.ts')).href
  for (const uncaught of ["throw new Error('lost')", "Promise.reject(new Error('lost'))"]) {
    const file = join(folder.path, 'lost.test.mjs')
    writeFileSync(
      file,
      `import { test } from 'node:test'
test('passes', () => new Promise((resolve) => setTimeout(() => { setImmediate(resolve); ${uncaught} })))`,
    )
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [...args, file], { env, encoding: 'utf8' })
    const { status, stdout } = run('--import', untracked)
    assert.match(stdout, /the error "Error: lost"/)
    assert.equal(status, 1)
    // The same file alone names the test.
    assert.match(run().stdout, /^✖ passes/m)
  }
})

test('every file is in exactly one batch, or alone if it changes the state of its process', async () => {
  await using folder = await tempFolder()
  const wanted = globSync('{server,web,cli}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] })
  const { files, sizeOf } = batchFiles(ROOT, wanted, folder.path)
  const batches = files.filter((file) => file.startsWith(folder.path))
  assert(batches.length > 0)
  const batched = batches.map((file) => readFileSync(file, 'utf8')).join('\n')
  for (const file of wanted) {
    const isAlone = files.includes(join(ROOT, file))
    assert.equal(batched.split(`suite("${file}"`).length - 1, isAlone ? 0 : 1, file)
    if (/^process\.env\[/m.test(readFileSync(join(ROOT, file), 'utf8'))) assert(isAlone, file)
  }
  assert.equal(
    files.reduce((sum, file) => sum + sizeOf(file), 0),
    wanted.length,
  )
})

test('a run without repeats tries a third of the cases of a property, unless their number is set', () => {
  const program = `
    const { crashRounds, rounds, runs } = await import(${JSON.stringify(pathToFileURL(REPETITIONS).href)})
    console.log(runs(300).numRuns, rounds(8), rounds(1), crashRounds(6))`
  for (const [variables, expected] of [
    [{ TEST_ALL: '1' }, '300 8 1 6'],
    [{ TEST_ALL: '0' }, '100 3 1 2'],
    [{ TEST_ALL: '0', PROPERTY_RUNS: '2', CRASH_ROUNDS: '50' }, '600 3 1 50'],
  ] as const) {
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = spawnSync(process.execPath, args, { env: variables, encoding: 'utf8' })
    assert.equal(stdout, `${expected}\n`)
  }
})

test('a run without repeats leaves out files that exist, and neither outside tools nor a kind of store', () => {
  const all = globSync('{contract,client,verify,server,cli,test,scripts,bench,web}/**/*.test.ts', {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  })
  for (const { what, files } of LEFT_TO_CI)
    assert(
      all.some((file) => files.test(file)),
      what,
    )
  const kept = all.filter((file) => !isLeftToCi(file))
  for (const tried of [
    /^test\/openapi\//,
    /conformance/,
    /^server\/test\/contracts\/postgres/,
    /^server\/test\/scale\/redis/,
  ])
    assert(
      kept.some((file) => tried.test(file)),
      String(tried),
    )
  assert(kept.length > all.length * 0.93)
})
