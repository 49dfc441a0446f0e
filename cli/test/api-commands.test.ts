import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { ENDPOINTS, type EndpointName, ROUTES } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { signIn } from '../../server/test/support/registered-agent.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { ENDPOINT_COMMANDS, toKebab } from '../src/api/endpoint-commands.ts'
import { GLOBAL_FLAGS, REPEAT_FLAGS, SAVE_FLAGS } from '../src/api/global-flags.ts'
import { inputFlags, listedFlag } from '../src/api/input-flags.ts'
import { COMMANDS } from '../src/run-command-line.ts'
import { type } from './typed-line.ts'

const AMOUNT = '10000000000000000'
const WALLET = `0x${'11'.repeat(32)}`
const openService = () => openTestApp({ env: { LIMIT_IP_RPM: '1000' } })

async function keyed(app: TestApp) {
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  return { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
}

suite('commands follow from the contract', () => {
  test('every endpoint is a command, and no input has the name of a global option', () => {
    const named = ENDPOINT_COMMANDS.map(({ endpoint }) => endpoint)
    assert.deepEqual(named.toSorted(), Object.keys(ROUTES).toSorted())
    for (const { endpoint, positionals } of ENDPOINT_COMMANDS) {
      const { params, query, body } = {
        params: undefined,
        query: undefined,
        body: undefined,
        ...ENDPOINTS[endpoint],
      }
      const fields = Object.keys({ ...params?.shape, ...query?.shape, ...body?.shape })
      for (const name of positionals) assert(fields.includes(name), `${endpoint} takes no ${name}`)
      const hidden = fields.filter(
        (field) => toKebab(field) in { ...GLOBAL_FLAGS, ...SAVE_FLAGS, ...REPEAT_FLAGS },
      )
      assert.deepEqual(
        hidden.filter((field) => field !== 'fields'),
        [],
        endpoint,
      )
    }
  })

  test('commands with the same words differ in their number of positional arguments', () => {
    const lines = ENDPOINT_COMMANDS.map(({ words, positionals }) => `${words} ${positionals.length}`)
    assert.equal(new Set(lines).size, lines.length)
  })

  test('schema prints input and output of any command', async () => {
    for (const { words } of ENDPOINT_COMMANDS) assert.equal((await type(`schema ${words}`)).code, 0, words)
    const offline = (await type('schema verify')).json().data
    assert.equal(offline.endpoint, null)
    assert.deepEqual(offline.input.required, ['transaction'])
    const none = await type('schema audit verify')
    assert.equal(none.code, 2)
    assert.match(none.json().error.fix ?? '', /stakewright help audit verify/)
    const { data } = (await type('schema tx stake')).json()
    assert.deepEqual(data.positionals, ['validatorId', 'amount'])
    assert.deepEqual(data.input.required, ['validatorId', 'amount'])
    assert(data.output.properties.commands)
  })

  test('help names every input of a command', async () => {
    const { stdout } = await type('help allocate')
    const flags = inputFlags('allocate')
    assert.deepEqual(
      flags.map(({ field }) => field),
      Object.keys(ENDPOINTS.allocate.body.shape),
    )
    for (const flag of flags) assert(stdout.includes(`--${listedFlag(flag)}`), flag.field)
  })

  test('help tells the allowed values, bounds and default of an input, and what every form of it requires', async () => {
    const lineOf = async (command: string, option: string) => {
      const { stdout } = await type(`help ${command}`)
      return stdout.split('\n').find((line) => line.startsWith(`  --${option} `)) ?? ''
    }
    assert.match(await lineOf('apy', 'period'), /How far back\. One of 7d, 30d, .*\. Default: 30d\.$/)
    assert.match(await lineOf('apy', 'id'), /Id of the validator\.[^()]*$/)
    assert.match(await lineOf('validators', 'sort'), /One of id, name, score, apy,/)
    assert.match(await lineOf('rebalance', 'max-targets'), / 1 to \d+\. Default: \d+\.$/)
    assert.match(await lineOf('allocate', 'max-share'), / Above 0, at most 1\./)
    assert.match(await lineOf('validators', 'search'), / 1 to 100 characters\.$/)
    assert.match(await lineOf('key', 'agent-name'), / Default: stakewright-cli\.$/)
    assert.match(await lineOf('tx stake', 'amount'), /\(required\)$/)
  })
})

suite('the sandbox, by commands alone', () => {
  test('the commands lead from a new key to an active stake', async () => {
    await using app = await openService()
    await using folder = await tempFolder()
    const profiles = join(folder.path, 'deep', 'profiles.json')
    const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_PROFILES: profiles }
    const key = await type('key scout --save', { env })
    assert.equal(key.code, 0)
    assert.equal((await stat(profiles)).mode & 0o777, 0o600)
    const split = await type(`allocate ${AMOUNT} --max-validators 2 --fields validatorId,amount`, { env })
    const [first] = split.json().data.allocations
    assert.deepEqual(Object.keys(first), ['validatorId', 'amount'])
    const whole = await type(`tx batch --sender ${WALLET} --input -`, { env, input: split.stdout })
    assert.equal(whole.json().data.staked, AMOUNT, 'an allocation is the input of a batch as it is')
    const built = await type(`tx stake ${first.validatorId} 5000000000000`, { env })
    const done = await type(`sandbox execute --sender ${WALLET} --input -`, { env, input: built.stdout })
    assert.equal(done.json().data.status, 'done', done.stdout)
    const { data } = (await type('sandbox advance 3', { env })).json()
    assert.equal(data.epoch, 94)
    const { positions } = (await type(`positions ${WALLET}`, { env })).json().data
    assert.equal(positions[0].state, 'active')
    const body = JSON.stringify({ positions: positions.map(held) })
    const plan = await type(['rebalance', '--input', '-'], { env, input: body })
    const file = join(folder.path, 'holdings.json')
    await writeFile(file, body)
    const fromFile = await type(['rebalance', '--input', `@${file}`], { env })
    assert.deepEqual(fromFile.json().data.summary, plan.json().data.summary)
    assert.equal(plan.json().data.summary.currentWeightedApy > 0, true)
  })

  test('on a terminal: tables, spark lines and bars instead of JSON', async () => {
    await using app = await openService()
    const env = await keyed(app)
    const shown = async (line: string) => (await type(line, { env, isTerminal: true })).stdout
    assert.match(
      await shown('validators'),
      /^SCORE +NAME +STATUS[\s\S]*\n *\d+\.\d +\w+ \w+ +active +\d+\.\d\d% +\d+\.\d\d% +[\d,.]+ SBX[\s\S]*epoch 91/,
    )
    const byCommission = await shown('validators --sort commissionRate --order desc --limit 3')
    const rates = byCommission.match(/\d+\.\d+%(?= +[\d,.]+ SBX\n)/g)?.map(Number.parseFloat) ?? []
    assert.equal(rates.length, 3, byCommission)
    assert.deepEqual(
      rates,
      rates.toSorted((a, b) => b - a),
      'the order that was asked for',
    )
    const cursor = /\n3 of \d\d; the next ones: --cursor (\S+)\n/.exec(byCommission)?.[1]
    const next = await shown(`validators --sort commissionRate --order desc --limit 3 --cursor ${cursor}`)
    assert.match(next, /\n3 of \d\d; the next ones: --cursor /)
    assert.notEqual(next, byCommission)
    assert.match(await shown('scored --limit 3'), /\n3 of \d\d; the next ones: --cursor /)
    assert.match(
      await shown(`positions ${EXAMPLES.buildJoin.sender} --limit 1`),
      /\n1 of \d+; the next ones: --cursor /,
    )
    assert.match(await shown('apy'), /^[▁▂▃▄▅▆▇█]{80,}\nepochs 2 to 90/)
    assert.match(await shown('epoch'), /^Epoch 91 {2}░+ 0\.00%/)
    assert.match(await shown(`allocate ${AMOUNT}`), /NAME +AMOUNT[\s\S]*█[\s\S]*projected/)
    assert.match(await shown('usage'), /tier +builder\nminute/)
    assert.match(await shown('health'), /network +sandbox/)
    assert.match(await shown('key'), /^stk_/)
    assert.match(await shown(`positions ${WALLET}`), /no staked tokens/)
    assert(!(await shown('validators --json')).includes('SCORE'))
  })

  test('on a terminal every amount is in tokens, and every rate and fraction in percent', async () => {
    await using app = await openService()
    const env = await keyed(app)
    const { validatorId, amount, sender } = EXAMPLES.buildStake
    const { owner } = EXAMPLES.positions
    const items = JSON.stringify({ items: [{ action: 'stake', validatorId, amount }], sender })
    const lines: readonly (readonly [line: string, input?: string])[] = [
      ['validators --limit 3'],
      [`validator ${validatorId}`],
      [`validator ${validatorId} --fields name,totalStake,apy,commissionRate`],
      ['network'],
      ['metadata'],
      ['scored --limit 3'],
      [`allocate ${AMOUNT}`],
      [`positions ${owner}`],
      [`rewards ${owner} --epochs 3`],
      [`rebalance --owner ${owner}`],
      [`delegators ${validatorId} --limit 2`],
      ['tx batch --input -', items],
      [`tx stake ${validatorId} ${amount} --sender ${sender}`],
    ]
    for (const [line, input] of lines) {
      const { code, stdout } = await type(line, { env, isTerminal: true, ...(input && { input }) })
      assert.equal(code, 0, stdout)
      // A plan's commands are typed as they are, and take smallest units.
      const prose = stdout.split('\n').filter((text) => !text.includes('stakewright tx '))
      for (const text of prose) {
        assert.doesNotMatch(
          text,
          /(?<![\w.,-])\d{10,}(?!\w)|(?:\d{1,3},){3,}\d{3}(?![\d.]* SBX)/,
          `${line}: ${text}`,
        )
        assert.doesNotMatch(
          text,
          /^(?:apy|\w*[cC]ommissionRate|uptime|\w*Share) +[\d.]+$/,
          `${line}: ${text}`,
        )
      }
    }
    const shown = async (line: string) => (await type(line, { env, isTerminal: true })).stdout
    assert.match(await shown(`validator ${validatorId}`), /^commissionRate +\d+\.\d\d%$/m)
    assert.match(await shown(`tx stake ${validatorId} ${amount} --sender ${sender}`), /Stakes 10 SBX/)
    const batch = await type('tx batch --input -', { env, isTerminal: true, input: items })
    assert.match(batch.stdout, /-10 SBX/)
  })
})

suite('exit codes and the envelope', () => {
  const failing = async (line: string, env: Record<string, string> = {}) => {
    const { code, json } = await type(line, { env })
    return [code, json().error.code]
  }

  test('each kind of failure has its own exit code', async () => {
    await using app = await openService()
    const env = await keyed(app)
    const url = { STAKEWRIGHT_URL: app.url }
    const { apiKey } = (await app.client().selfRegister({ email: 'a@example.com', agentName: 'x' })).data
    assert.deepEqual(await failing('alocate 5', env), [2, 'usage'])
    assert.deepEqual(await failing('allocate five', env), [2, 'invalid_input'])
    assert.deepEqual(await failing('allocate', env), [2, 'usage'])
    assert.deepEqual(await failing(`allocate ${AMOUNT} --max-validators many`, env), [2, 'usage'])
    assert.deepEqual(await failing('usage', url), [3, 'unauthorized'])
    assert.deepEqual(await failing('usage', { ...url, STAKEWRIGHT_API_KEY: apiKey }), [3, 'unauthorized'])
    assert.deepEqual(await failing(`validator 0x${'ab'.repeat(32)}`, env), [5, 'not_found'])
    // Nothing listens on port 2; `fetch` never connects to port 1.
    assert.deepEqual(await failing('epoch', { STAKEWRIGHT_URL: 'http://127.0.0.1:2' }), [8, 'unreachable'])
    assert.deepEqual(await failing('epoch', { STAKEWRIGHT_URL: 'http://127.0.0.1:1' }), [2, 'usage'])
  })

  test('7: a used-up limit is reported with the time to wait', async () => {
    await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1' } })
    const env = { STAKEWRIGHT_URL: app.url }
    assert.equal((await type('epoch', { env })).code, 0)
    const { code, json } = await type('epoch', { env })
    assert.equal(code, 7)
    const { error } = json()
    assert.deepEqual(
      { ...error, requestId: '', message: '', fix: '' },
      {
        code: 'rate_limited',
        message: '',
        fix: '',
        retryable: true,
        requestId: '',
        retryAfterSeconds: 60,
      },
    )
  })

  test('0: an unchanged answer is reported as unchanged, not as a failure', async () => {
    await using app = await openService()
    const env = { STAKEWRIGHT_URL: app.url }
    const { hash } = (await type('validators', { env })).json().data
    const again = await type(`validators --hash ${hash}`, { env })
    assert.deepEqual([again.code, again.json()], [0, { ok: true, unchanged: true }])
    assert.match(
      (await type(`validators --hash ${hash}`, { env, isTerminal: true })).stdout,
      /^Nothing has changed/,
    )
    assert.equal((await type('tx stake --input -', { env, input: again.stdout })).code, 2)
    assert.equal((await type('validators --hash another', { env })).json().data.hash, hash)
  })

  test('for a mistyped command, option or field the error suggests the nearest one', async () => {
    const said = async (line: string) => (await type(line)).json().error.message
    assert.match(await said('alocate 5'), /allocate\?/)
    assert.match(await said('tx steak'), /tx stake, tx unstake, tx withdraw/)
    assert.match(await said('allocate 5 --max-validator 2'), /--max-validators\?/)
    await using app = await openService()
    const url = { STAKEWRIGHT_URL: app.url }
    const { error } = (await type('epoch --fields epocj', { env: url })).json()
    assert.match(error.message, /"epocj"\. Did you mean epoch\?/)
  })

  test('--dry-run sends nothing and shows no secret', async () => {
    const env = { STAKEWRIGHT_URL: 'http://127.0.0.1:2', STAKEWRIGHT_API_KEY: 'secret' }
    const { code, json, stdout } = await type(`allocate ${AMOUNT} --exclude 0x1,0x2 --explain`, {
      env: { ...env },
    })
    assert.equal(code, 8)
    const dry = await type(`allocate ${AMOUNT} --exclude 0x1,0x2 --exclude 0x3 --explain --dry-run`, { env })
    assert.deepEqual(dry.json().data, {
      method: 'POST',
      url: 'http://127.0.0.1:2/api/v1/staking/agent/allocate',
      auth: 'agent-key',
      body: { amount: AMOUNT, exclude: ['0x1', '0x2', '0x3'], explain: true },
    })
    assert(!dry.stdout.includes('secret') && !stdout.includes('secret'))
    assert.equal(json().ok, false)
  })
})

suite('keys and profiles', () => {
  const KEY = `stk_${'A'.repeat(46)}`

  test('2: a key is never an argument', async () => {
    for (const line of [
      `usage ${KEY}`,
      `usage --api-key ${KEY}`,
      `usage --api-key=${KEY}`,
      'usage --key x',
      'usage --key=x',
    ]) {
      const { code, stdout } = await type(line)
      assert.equal(code, 2)
      assert(!stdout.includes(KEY) && stdout.includes('STAKEWRIGHT_API_KEY'))
    }
  })

  test('a signature that happens to contain the form of a key is no key', async () => {
    const signature = `0123456789-ab_${'c'.repeat(46)}${'d'.repeat(26)}`
    const { json } = await type(['verify', '--input', '{}', '--keys', JSON.stringify({ signature })])
    assert.doesNotMatch(json().error.message, /^Keys are never arguments/)
  })

  test('3: a key that no header can carry is refused and never shown', async () => {
    for (const bad of [`${KEY}\nx`, `${KEY}€`, `${KEY} x`]) {
      for (const env of [{ STAKEWRIGHT_API_KEY: bad }, { STAKEWRIGHT_TOKEN: bad }]) {
        const { code, stdout, stderr } = await type('usage', { env })
        assert.equal(code, 3)
        assert(!`${stdout}${stderr}`.includes(KEY))
      }
    }
    const { code, stdout } = await type('epoch', { env: { STAKEWRIGHT_URL: 'http://me:hidden@127.0.0.1:2' } })
    assert(code === 2 && !stdout.includes('hidden'))
  })

  test('0: white space around a key is dropped', async () => {
    await using app = await openService()
    const { STAKEWRIGHT_API_KEY: apiKey, ...env } = await keyed(app)
    assert.equal((await type('usage', { env: { ...env, STAKEWRIGHT_API_KEY: ` ${apiKey}\n` } })).code, 0)
  })

  test('3: a file of keys that others can read is refused', {
    skip: process.platform === 'win32' && 'Windows has no modes of files',
  }, async () => {
    await using folder = await tempFolder()
    const file = join(folder.path, 'profiles.json')
    await writeFile(file, '{}', { mode: 0o644 })
    const { code, json } = await type('epoch', { env: { STAKEWRIGHT_PROFILES: file } })
    assert.equal(code, 3)
    assert.match(json().error.fix ?? '', /chmod 600/)
  })

  test('a saved key is sent only to the service it was saved for', async () => {
    await using app = await openService()
    await using other = await openService()
    await using folder = await tempFolder()
    const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
    assert.equal((await type(`key --save --profile work --url ${app.url}`, { env })).code, 0)
    assert.equal((await type('usage --profile work', { env })).code, 0)
    const elsewhere = await type(`usage --profile work --url ${other.url}`, { env })
    assert.equal(elsewhere.code, 3)
    const { message } = elsewhere.json().error
    assert(message.includes(`"work" belong to ${app.url}, and are not sent to ${other.url}`), message)
    assert.equal((await type(`usage --profile work --url ${app.url}/`, { env })).code, 0, 'the same address')
    assert.match((await type('usage --profile worc', { env })).json().error.fix ?? '', /mean work\?/)
    const relay = await type(`mcp --profile work --url ${other.url}`, { env })
    assert.match(relay.stderr, /are not sent to/)
    const listed = await type('profile list', { env })
    assert.deepEqual(listed.json().data, [{ name: 'work', url: app.url, hasKey: true, hasToken: false }])
    for (const name of ['home', 'toString', 'constructor']) {
      assert.equal((await type(`usage --profile ${name}`, { env })).code, 5)
      assert.equal((await type(`profile remove ${name}`, { env })).code, 5)
    }
    assert.equal((await type('profile remove work', { env })).code, 0)
    assert.equal((await type('usage --profile work', { env })).code, 5)
  })

  test('profile set takes secrets from standard input', async () => {
    await using app = await openService()
    await using folder = await tempFolder()
    const { STAKEWRIGHT_API_KEY: apiKey } = await keyed(app)
    const env = { STAKEWRIGHT_PROFILES: join(folder.path, 'profiles.json') }
    const set = await type(`profile set --url ${app.url} --input -`, {
      env,
      input: JSON.stringify({ apiKey }),
    })
    assert.equal(set.code, 0)
    assert(!set.stdout.includes(apiKey))
    assert.equal((await type('usage', { env })).code, 0)
  })

  test('the default address has the port in PORT', async () => {
    const { json } = await type('epoch --dry-run', { env: { PORT: '4123' } })
    assert.equal(json().data.url, 'http://127.0.0.1:4123/api/v1/staking/epoch')
  })
})

suite('the shell', () => {
  test('--version prints the version; a line without a command is a usage error with the help', async () => {
    assert.equal((await type('--version')).stdout, '0.1.0')
    for (const line of ['--version --json', '--json --version'])
      assert.deepEqual((await type(line)).json(), { ok: true, data: { version: '0.1.0' } })
    assert.equal((await type('', { isTerminal: true })).code, 2)
    const names: readonly EndpointName[] = ['validators', 'allocate']
    for (const name of names) assert((await type('--help')).stdout.includes(name))
  })

  test('2: in a pipe every command answers a wrong line with the JSON envelope', async () => {
    for (const { words } of COMMANDS.filter(({ section }) => section !== 'Operator')) {
      const { code, stdout, stderr, json } = await type(`${words} --bogus`)
      assert.deepEqual([code, json().error.code, stderr], [2, 'usage', ''], `${words}: ${stdout}`)
      assert.equal((await type(`${words} --bogus`, { isTerminal: true })).stdout, '')
    }
    assert.match((await type('completion tcsh')).json().error.message, /bash, zsh, fish/)
    assert.match((await type('completion bash')).stdout, /^# stakewright completion/)
  })

  test('0: --fields of items keeps the fields beside the list, as the API does, so that paging works', async () => {
    await using app = await openService()
    const env = { STAKEWRIGHT_URL: app.url }
    const query = new URLSearchParams({ fields: 'id,name', limit: '1' })
    const seen = new Set<string>()
    while (seen.size < 3) {
      const more = query.has('cursor') ? ` --cursor ${query.get('cursor')}` : ''
      const { data } = (await type(`validators --fields id,name --limit 1${more}`, { env })).json()
      const response = await fetch(`${app.url}/api/v1/staking/validators?${query}`)
      // The hash is the version of exactly what was asked for.
      assert.deepEqual({ ...data, hash: '' }, { ...Object(await response.json()), hash: '' })
      assert(!seen.has(data.data[0].id), 'a page of its own')
      seen.add(data.data[0].id)
      query.set('cursor', data.nextCursor)
    }
    const { data } = (await type('validators --fields epoch', { env })).json()
    assert.deepEqual(Object.keys(data), ['epoch'])
  })
})

function held({ stakedTokenId, validatorId, principal }: Record<string, string>) {
  return { stakedTokenId, validatorId, principal }
}

test('0: a registration that is repeated with its idempotency key is done once', async () => {
  await using app = await openService()
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_TOKEN: await signIn(app, 'ann@example.com') }
  const line = 'keys register scout --idempotency-key first-try'
  const [first, second] = [await type(line, { env }), await type(line, { env })]
  assert.deepEqual([first.code, second.code], [0, 0])
  assert.equal(second.json().data.data.id, first.json().data.data.id)
  assert.equal((await type('keys register other --idempotency-key first-try', { env })).code, 2)
  for (const other of ['epoch', 'sandbox advance 1']) {
    const { code, json } = await type(`${other} --idempotency-key x`, { env })
    assert.equal(code, 2, 'only where a repeat is known')
    assert.match(
      json().error.message,
      /--idempotency-key is not accepted here\. It works with tx stake, .*keys rotate/,
    )
  }
  assert.match((await type('help keys register')).stdout, /--idempotency-key NAME/)
  const repeated = await type(`${line} --save`, { env })
  assert.match(
    repeated.json().error.message,
    /Not saved: this is a repeat/,
    'what is shown of the key is none',
  )
})

test('0: a build that is repeated with its idempotency key is built once', async () => {
  await using app = await openService()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const { data } = await app.client().validators()
  const line = `tx stake ${data.find(({ status }) => status === 'active')?.id} 5000000000`
  const first = await type(`${line} --idempotency-key order-7`, { env })
  app.clock.advance(1_000)
  const [second, other] = [
    await type(`${line} --idempotency-key order-7`, { env }),
    await type(line, { env }),
  ]
  assert.deepEqual([first.code, second.code, other.code], [0, 0, 0])
  assert.deepEqual(second.json(), first.json())
  assert.notEqual(other.json().data.intentId, first.json().data.intentId)
  for (const command of ['tx unstake', 'tx withdraw', 'tx batch', 'register'])
    assert.match((await type(`help ${command}`)).stdout, /--idempotency-key NAME/, command)
})

test('on a terminal a build shows its warnings, and until which second it may be signed', async () => {
  await using app = await openService()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const [validator] = (await app.client().validators({ status: 'active' })).data
  const shown = async (amount: string) => {
    const line = `tx stake ${validator?.id} ${amount} --sender ${WALLET}`
    return (await type(line, { env, isTerminal: true })).stdout
  }
  const fine = await shown('5000000000')
  assert.match(fine, /^Stakes [^\n]+\ncall .*\nsign by {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC\n/s)
  assert.match(await shown(String(2n ** 64n - 1n)), /\nThe chain would refuse it now: /)
  const { remainingMs } = await app.client().epoch()
  app.clock.advance(remainingMs - 20_000)
  await app.runJob('watch-network')
  assert.match(await shown('5000000000'), /\n[^\n]*expires [^\n]*\ncall /)
})
