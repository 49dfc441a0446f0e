import assert from 'node:assert/strict'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { replyJsonSchema } from '@stakewright/contract/json-schema'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { ENDPOINT_COMMANDS } from '../src/api/endpoint-commands.ts'
import { fieldsIn, readFields, selectFields } from '../src/api/select-fields.ts'
import { type } from './typed-line.ts'

const WALLET = `0x${'11'.repeat(32)}`
const NOWHERE = { STAKEWRIGHT_URL: 'http://127.0.0.1:9', STAKEWRIGHT_API_KEY: 'stk_x' }

async function keyed(app: TestApp) {
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  return { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
}

/** Nothing listens at the address: a line with exit code 2 was refused before anything was sent. */
const refused = async (line: string | readonly string[], input = '') => {
  const { code, json } = await type(line, { env: NOWHERE, input })
  assert.equal(code, 2, String(line))
  return json().error.message
}

test('a name in --fields is the top-level field or, if there is none, every place that has it', () => {
  for (const { endpoint } of ENDPOINT_COMMANDS) {
    const answer = fieldsIn(replyJsonSchema(ENDPOINTS[endpoint]))
    const places = Object.entries(answer).flatMap(([place, schema]) =>
      Object.keys(fieldsIn(schema)).map((name) => [place, name] as const),
    )
    for (const name of Object.keys(answer)) assert.deepEqual(readFields(endpoint, name), [[name]])
    for (const [place, name] of places) {
      assert.deepEqual(readFields(endpoint, `${place}.${name}`), [[place, name]])
      const all = places.filter(([, other]) => other === name)
      assert.deepEqual(readFields(endpoint, name), name in answer ? [[name]] : all, `${endpoint} ${name}`)
    }
  }
  const rewards = {
    data: [{ epoch: 1, rewards: '5' }],
    claimableNow: { tokens: 1, principal: '7', rewards: '2' },
    total: '5',
  }
  const chosen = (names: string) => selectFields(rewards, readFields('rewards', names))
  assert.deepEqual(chosen('rewards'), { data: [{ rewards: '5' }], claimableNow: { rewards: '2' } })
  assert.deepEqual(chosen('claimableNow.rewards,total'), { claimableNow: { rewards: '2' }, total: '5' })
  assert.throws(() => readFields('rewards', 'claimableNow.reward'), /Did you mean rewards\?/)
})

suite('2: a wrong line is refused before anything is sent', () => {
  test('a field that the answer does not have', async () => {
    assert.match(await refused('key x2 --fields zzz'), /no field "zzz"\. It has: .*apiKey/)
    assert.match(await refused('sandbox advance 1 --fields nope'), /It has: epoch/)
    for (const { endpoint } of ENDPOINT_COMMANDS)
      assert.throws(() => readFields(endpoint, 'zzz'), /zzz/, endpoint)
  })

  test('--save where there is nothing to save', async () => {
    assert.match(await refused('sandbox advance 1 --save'), /no option --save/)
  })

  test('two values for one input', async () => {
    assert.match(await refused('allocate 30 --amount 20'), /"30" is an unexpected argument: --amount/)
    assert.match(await refused(['allocate', '30', '--input', '{"amount":"40"}']), /another amount/)
    assert.match(
      await refused(['allocate', '--amount', '30', '--input', '{"amount":"40"}']),
      /another amount/,
    )
    assert.match(await refused('allocate --amount 30 --amount 40'), /--amount is given more than once/)
    const same = ['allocate', '30', '--input', '{"amount":"30"}', '--dry-run']
    assert.equal((await type(same, { env: NOWHERE })).json().data.body.amount, '30')
  })

  test('none of several alternative inputs: the error names their options', async () => {
    assert.match(await refused('rebalance'), /--positions must be given, or OWNER instead/)
    assert.match(await refused('register mybot'), /either EMAIL, or --address, --nonce and --signature/)
    assert.match(await refused('register'), /Missing: AGENT_NAME/)
  })

  test('no command: a terminal gets the help, a program one sentence', async () => {
    for (const line of ['--json', '--url', '--url http://127.0.0.1:9', '--json --profile x', ''])
      assert.equal(await refused(line), 'There is no command in this line.')
    assert.match((await type('', { isTerminal: true })).stderr, /Exit codes/)
    assert.match(await refused('--versoin'), /no option --versoin\. Did you mean --version\?/)
    assert.match(await refused('schema'), /schema COMMAND/)
  })
})

suite('assignment of words to inputs', () => {
  const body = async (line: string | readonly string[]) =>
    (await type(line, { env: NOWHERE })).json().data.body

  test('words fill required inputs before optional ones, and skip inputs that options set', async () => {
    const both = { email: 'a@example.com', agentName: 'bot' }
    assert.deepEqual(await body('register a@example.com bot --dry-run'), both)
    assert.deepEqual(await body('register bot --email a@example.com --dry-run'), both)
    assert.deepEqual(await body('register a@example.com --agent-name bot --dry-run'), both)
    assert.deepEqual(await body(['key', '--input', '{"agentName":"own"}', '--dry-run']), { agentName: 'own' })
  })

  test('an option tells commands with the same words apart', async () => {
    const { data } = (await type(`apy --id ${WALLET} --dry-run`, { env: NOWHERE })).json()
    assert(data.url.includes(WALLET))
  })
})

suite('a found key', () => {
  const KEY = `stk_${'A'.repeat(46)}`

  test('is reported by --input, as the help says, and never by an argument', async () => {
    await using app = await openTestApp()
    const env = { STAKEWRIGHT_URL: app.url }
    const help = (await type('report-leak --help')).stdout
    assert(!help.includes('--api-key') && /apiKey .*--input - or @FILE/.test(help))
    const input = JSON.stringify({ apiKey: KEY })
    assert.equal((await type('report-leak --input -', { env, input })).code, 0)
    for (const line of [`report-leak --api-key ${KEY}`, `report-leak --input {"apiKey":"${KEY}"}`])
      assert.match(await refused(line), /by --input - \(standard input\)/)
    assert.match(await refused('report-leak'), /apiKey, which only --input takes/)
    assert(!(await refused('report-leak --input -', 'stk_short')).includes('stk_'))
    assert(!(await type('report-leak --input - --dry-run', { env, input })).stdout.includes(KEY))
  })
})

suite('a key or token as an argument', () => {
  const KEY = `stk_${'A1'.repeat(23)}`
  const TOKEN = `eyJ${'a1'.repeat(20)}.eyJ${'b2'.repeat(20)}.${'c3'.repeat(20)}`

  test('2: gets the same advice at every place of the line', async () => {
    const advice = await refused('usage --api-key stk_x')
    assert.match(advice, /^Keys are never arguments/)
    const lines = [
      '--api-key stk_x usage',
      '--apiKey=stk_x usage',
      'usage --api-key=stk_x',
      '--api-key stk_x',
    ]
    for (const secret of [KEY, TOKEN])
      lines.push(secret, `usage ${secret}`, `--token ${secret} usage`, `help ${secret}`, `schema ${secret}`)
    for (const words of [
      'mcp',
      'profile list',
      'completion',
      'verify --input',
      'admin agents --json',
      'tx',
      'pins sign',
    ])
      lines.push(`${words} ${KEY}`, `${words} --api-key ${KEY}`)
    for (const line of lines) assert.equal(await refused(line), advice, line)
  })

  test('2: is never quoted, not even in part', async () => {
    for (const secret of [KEY.slice(0, 30), KEY.slice(4), 'stk_x', TOKEN.slice(0, 50)])
      for (const line of [
        secret,
        `--token ${secret} usage`,
        `usage ${secret}`,
        `usage --profile ${secret}`,
        `usage --token ${secret}`,
        `tx ${secret}`,
        `help ${secret}`,
        `schema ${secret}`,
        `completion ${secret}`,
        `mcp ${secret}`,
        `profile list ${secret}`,
        `profile remove ${secret}`,
        `validators --fields ${secret}`,
        `validators --limit ${secret}`,
        `validators --input @${secret}`,
      ]) {
        const { code, stdout, stderr } = await type(line, { env: NOWHERE })
        assert.notEqual(code, 0, line)
        assert(!`${stdout}${stderr}`.includes(secret), `${line}: ${stdout}${stderr}`)
      }
  })
})

suite('a saved key', () => {
  test('6: is not replaced without --replace, and the refusal comes before a new one is made', async () => {
    await using app = await openTestApp()
    await using folder = await tempFolder()
    const file = join(folder.path, 'profiles.json')
    const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_PROFILES: file }
    const saved = async () => JSON.parse(await readFile(file, 'utf8'))
    assert.equal((await type('key --save', { env })).code, 0)
    const before = await saved()
    for (const line of ['key --save', 'register a@example.com bot --save']) {
      const again = await type(line, { env: { ...env, STAKEWRIGHT_URL: 'http://127.0.0.1:9' } })
      assert.deepEqual([again.code, again.json().error.code], [6, 'profile_in_use'])
      assert.match((await type(line, { env })).json().error.fix ?? '', /--save-as NAME .* --replace/)
    }
    const input = JSON.stringify({ apiKey: 'stk_other' })
    assert.equal((await type('profile set --input -', { env, input })).code, 6)
    assert.deepEqual(await saved(), before)
    assert.equal((await type('key --save --profile second', { env })).code, 0)
    assert.deepEqual((await saved()).default, before.default)
    assert.equal((await type('key --save --replace', { env })).code, 0)
    assert.notEqual((await saved()).default.apiKey, before.default.apiKey)
  })

  test('is dropped when its profile gets another address', async () => {
    await using folder = await tempFolder()
    const file = join(folder.path, 'profiles.json')
    const env = { STAKEWRIGHT_PROFILES: file }
    const secrets = { apiKey: 'stk_x', token: 't' }
    await writeFile(file, JSON.stringify({ default: { url: 'http://one.example', ...secrets } }), {
      mode: 0o600,
    })
    assert.equal((await type('profile set --url http://two.example', { env })).code, 6)
    assert.equal((await type('profile set --url http://two.example --replace', { env })).code, 0)
    assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), { default: { url: 'http://two.example' } })
  })

  test('1: a new key that cannot be saved is shown all the same', async () => {
    await using app = await openTestApp()
    await using folder = await tempFolder()
    const file = join(folder.path, 'profiles.json')
    await mkdir(`${file}.new`)
    const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_PROFILES: file }
    const { code, json } = await type('key --save --fields apiKey', { env })
    assert.equal(code, 1)
    assert.match(json().error.message, /^Not saved/)
    assert.deepEqual(Object.keys(json().data.data), ['apiKey'])
    assert.match((await type('key --save', { env, isTerminal: true })).stdout, /^stk_/)
  })

  test('2: unusable profiles are reported before a key is made, and do not hinder calls that need none', async () => {
    await using app = await openTestApp()
    await using folder = await tempFolder()
    const file = join(folder.path, 'file')
    await writeFile(file, '')
    const loop = join(folder.path, 'loop')
    await symlink(loop, loop)
    for (const place of [
      join(file, 'profiles.json'),
      join(loop, 'profiles.json'),
      '/proc/1/none/profiles.json',
    ]) {
      const env = { STAKEWRIGHT_PROFILES: place }
      const nowhere = { ...env, STAKEWRIGHT_URL: 'http://127.0.0.1:9' }
      const { error } = (await type('key --save', { env: nowhere })).json()
      assert.match(error.message, /cannot be (read|written)/, place)
      assert.match(error.fix ?? '', /^Set STAKEWRIGHT_PROFILES/)
      const here = { ...env, STAKEWRIGHT_URL: app.url }
      assert.equal((await type('epoch', { env: here })).code, 0, place)
    }
    const unread = { STAKEWRIGHT_PROFILES: join(loop, 'profiles.json'), STAKEWRIGHT_URL: app.url }
    const { code, json } = await type('usage', { env: unread })
    assert.equal(code, 3)
    assert.match(json().error.message, /needs an API key\. The profiles in .* cannot be read \(ELOOP\)/)
  })
})

suite('the contract’s refusal', () => {
  test('9: an aborted transaction is a failure', async () => {
    await using app = await openTestApp()
    const env = await keyed(app)
    const { data } = (await type('validators --limit 1', { env })).json()
    const built = await type(`tx stake ${data.data[0].id} 5000000000000`, { env })
    assert.equal(
      (await type(`sandbox execute --sender ${WALLET} --input -`, { env, input: built.stdout })).code,
      0,
    )
    await type('sandbox advance 3', { env })
    const { positions } = (await type(`positions ${WALLET}`, { env })).json().data
    const unstake = () => type(`tx unstake ${positions[0].stakedTokenId}`, { env })
    const [first, second] = [await unstake(), await unstake()]
    const execute = (isTerminal: boolean, { stdout: input } = second) =>
      type(`sandbox execute --sender ${WALLET} --input -`, { env, input, isTerminal })
    assert.equal((await execute(false, first)).code, 0)
    const aborted = await execute(false)
    assert.equal(aborted.code, 9, aborted.stdout)
    const { ok, error } = aborted.json()
    assert.deepEqual([ok, error.code], [false, 'aborted'])
    assert('abort' in error)
    assert.match(error.fix ?? '', /^Build a transaction .* `stakewright positions OWNER`/)
    assert.equal((await execute(false, first)).code, 0, 'a repeat of what was done has its answer')
    assert.match((await execute(true)).stderr, /The contract refused, and nothing changed/)
  })
})

suite('tables', () => {
  test('name validators, show whole ids and give amounts with their unit', async () => {
    await using app = await openTestApp()
    const env = await keyed(app)
    const shown = async (line: string) => (await type(line, { env, isTerminal: true })).stdout
    const [first] = (await type('allocate 10000000000000000', { env })).json().data.allocations
    const table = await shown('allocate 10000000000000000')
    for (const part of [first.name, first.validatorId, 'SBX']) assert(table.includes(part), part)
    const built = await type(`tx stake ${first.validatorId} 5000000000000`, { env })
    await type(`sandbox execute --sender ${WALLET} --input -`, { env, input: built.stdout })
    const [position] = (await type(`positions ${WALLET}`, { env })).json().data.positions
    const positions = await shown(`positions ${WALLET}`)
    for (const part of [first.name, first.validatorId, position.stakedTokenId, 'SBX'])
      assert(positions.includes(part), part)
    const plan = await shown(`rebalance --owner ${WALLET} --exclude ${first.validatorId}`)
    for (const part of [first.name, first.validatorId, 'SBX']) assert(plan.includes(part), part)
    const [line = ''] = plan.match(/(?<=stakewright )tx (unstake|withdraw) 0x[0-9a-f]+/) ?? []
    assert.equal((await type(line, { env })).code, 0, 'a call of the plan is a command that works')
    for (const text of [table, positions])
      assert(
        text.split('\n').every(({ length }) => length <= 120),
        text,
      )
    assert.match(await shown(`validator ${first.validatorId}`), /totalStake +[\d,]+(\.\d+)? SBX/)
    const earned = await shown(`rewards ${WALLET}`)
    for (const name of ['earlier', 'total', 'principal', 'rewards'])
      assert.match(earned, new RegExp(`${name} +[\\d,]+(\\.\\d+)? SBX`), earned)
    assert.match(await shown(`rewards ${WALLET} --fields total`), /^total +[\d,]+(\.\d+)? SBX$/)
    assert.match(await shown('network'), /totalStake +[\d,]+(\.\d+)? [A-Z]+/)
  })
})
