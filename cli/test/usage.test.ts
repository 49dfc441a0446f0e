import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ENDPOINTS } from '@stakewright/contract'
import { replyJsonSchema } from '@stakewright/contract/json-schema'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { VERDICTS } from '../src/api/verdicts.ts'
import { COMMANDS } from '../src/run-command-line.ts'
import { MAIN, run, runCli } from './run-cli.ts'
import { type } from './typed-line.ts'

test('2: an invalid line is refused before anything is touched', async () => {
  await using folder = await tempFolder()
  const mistakes = [
    ['admin'],
    ['admin', 'constructor'],
    ['admin', 'token', '--email', 'nobody'],
    ['admin', 'revoke'],
    ['admin', 'revoke', 'a', 'b'],
    ['admin', 'agents', '--every'],
    ['admin', 'agents', '--url', 'ftp://x'],
    ['migrate-store', '--from', folder.path, '--to', 'mysql://x'],
    ['toString'],
    [],
  ]
  const runs = mistakes.map((args) => runCli({ DATA_DIR: folder.path }, ...args))
  for (const [index, { code, stdout, stderr }] of (await Promise.all(runs)).entries()) {
    assert.equal(code, 2, `mistake ${index}`)
    assert.match(stdout + stderr, /stakewright|"code": "usage"/)
  }
  assert.deepEqual(await readdir(folder.path), [])
})

test('2: a wrong configuration is reported as the service reports it', async () => {
  const { code, stderr } = await runCli({ PORT: 'x', KEY_PREFIX: '?' }, 'admin', 'agents')
  assert.equal(code, 2)
  assert.match(stderr, /PORT[\s\S]*KEY_PREFIX/)
})

test('0: help names every command and every exit code', async () => {
  for (const args of [['--help'], ['help']]) {
    const { code, stdout } = await runCli({}, ...args)
    assert.equal(code, 0)
    for (const word of ['serve', 'token', 'agents', 'revoke', 'suspend', 'resume', 'audit', 'Exit codes'])
      assert(stdout.includes(word), word)
  }
  assert.match((await runCli({}, 'admin', 'agents', '--help')).stdout, /admin agents \[--all\]/)
})

test('0: help --json lists the commands as JSON; without --json help is text, also in a pipe', async () => {
  for (const line of ['help', '--help']) {
    assert.match((await type(line)).stdout, /^stakewright: /)
    const { commands, text } = (await type(`${line} --json`)).json().data
    assert.deepEqual(
      commands.map(({ command }: { readonly command: string }) => command),
      COMMANDS.map(({ words }) => words),
    )
    assert.match(text, /^stakewright: /)
  }
  for (const line of ['help tx stake --json', 'tx stake --help --json']) {
    const { commands } = (await type(line)).json().data
    assert.deepEqual([commands.length, commands[0].command], [1, 'tx stake'])
  }
  for (const line of ['help tx', 'tx --help', 'tx -h']) {
    const { code, stdout } = await type(line)
    assert.equal(code, 0, line)
    assert.match(stdout, /tx stake[\s\S]*tx batch/, line)
  }
  assert.equal((await type('help nothing --json')).json().error.code, 'usage')
  assert.equal((await type('nothing --help --json')).json().error.code, 'usage')
})

test('every boolean of an answer is neutral, or decides about success', () => {
  const found = Object.entries(ENDPOINTS).flatMap(([name, row]) => {
    const { properties = {} } = replyJsonSchema(row) as Schema
    const fields = { ...properties, ...properties['data']?.properties }
    return Object.entries(fields).flatMap(([field, { type: kind }]) =>
      kind === 'boolean' && !FACTS.includes(field) && !(name in VERDICTS) ? [`${name}.${field}`] : [],
    )
  })
  assert.deepEqual(found, [])
})

type Schema = { readonly type?: string; readonly properties?: Readonly<Record<string, Schema>> }

/** Neutral booleans: neither value is a failure. */
const FACTS = [
  'success',
  'nextCommitteeSelected',
  'requiresEpochWait',
  'historyComplete',
  'complete',
  'syncing',
  'stale',
  'isLeader',
  'isEnrolled',
  'isRequired',
  'released',
  'inNextCommittee',
]

test('1: an answer that cannot be written is reported in one line', {
  skip: !existsSync('/dev/full') && 'there is no /dev/full here',
}, async () => {
  const line = `"${process.execPath}" "${MAIN}" epoch --dry-run`
  const full = await run('/bin/sh', ['-c', `${line} > /dev/full`], {})
  assert.equal(full.code, 1)
  assert.match(full.stderr, /^The answer could not be written to standard output: .*no space left.*$/im)
  assert.doesNotMatch(full.stderr, /^ +at /m)
  const untold = await run('/bin/sh', ['-c', `${line} 2> /dev/full`], {})
  assert.deepEqual([untold.code, JSON.parse(untold.stdout).ok], [0, true])
})

test('0: "stakewright serve" runs the service', async () => {
  const { code, stdout } = await runCli({}, 'serve', '--print-config')
  assert.equal(code, 0)
  assert.match(stdout, /^DATA_DIR +\.\/data$/m)
})

test('2: "serve" refuses a wrong option in one sentence, without repeating it', async () => {
  for (const args of [['--prot', '1'], ['--port=1'], ['secret'], ['--help=x']]) {
    const { code, stdout, stderr } = await runCli({}, 'serve', ...args)
    assert.equal(code, 2, stderr)
    assert.match(stderr, /^The service takes --help and --print-config and nothing else: .*\n.*--help/)
    assert.doesNotMatch(stdout + stderr, /^ +at |prot|secret/m)
  }
})

const INSTALLED = new URL('../../node_modules/.stakewright-install', import.meta.url)

test('0: npx stakewright runs the command line with the Node version of the workspace', {
  skip: !existsSync(INSTALLED) && 'the workspace was not installed by its own commands',
}, async () => {
  const bin = fileURLToPath(new URL('../bin/stakewright.mjs', import.meta.url))
  const { code, stdout } = await run(process.execPath, [bin, 'help'], {})
  assert.equal(code, 0)
  assert.match(stdout, /^stakewright: /)
})
