import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { inputJsonSchema } from '@stakewright/contract/json-schema'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { serve } from './support/serve.ts'
import { type } from './typed-line.ts'

const NOWHERE = { STAKEWRIGHT_URL: 'http://127.0.0.1:1' }

test('a refusal of the service names commands instead of endpoints, and repeats nothing', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const lines = [
    'allocate 10',
    'allocate 1.5',
    'validator 0x1',
    'tx stake Mossy 5000000000',
    'tx unstake 0x1',
  ]
  for (const line of lines) {
    const { stderr, code } = await type(line, { env, isTerminal: true })
    assert(code === 2 || code === 5, line)
    assert.doesNotMatch(stderr, /\/api\/v1/, line)
    const lines = stderr.split('\n').filter((text) => !text.startsWith('Next: '))
    const said = lines.map((text) => text.replace(/^\s*\w+: |\.$/g, ''))
    for (const [at, text] of said.entries())
      assert(!said.some((other, place) => place !== at && other.includes(text)), `${line}: ${stderr}`)
  }
  const { fix } = (await type('tx stake Mossy 5000000000', { env })).json().error
  assert.match(fix ?? '', /Take the id from `stakewright validators`/)
})

test('a wrong line refers to the help of its own command', async () => {
  const { stderr } = await type('allocate 10 --max-validators x', { env: NOWHERE, isTerminal: true })
  assert.match(stderr, /^`stakewright help allocate` says what it takes\.$/m)
  const missing = await type('tx stake', { env: NOWHERE, isTerminal: true })
  assert.match(missing.stderr, /Usage: stakewright tx stake VALIDATOR_ID AMOUNT \[options\]/)
  const either = await type('rebalance', { env: NOWHERE, isTerminal: true })
  assert.match(either.stderr, /Usage: stakewright rebalance OWNER\|--positions JSON \[options\]/)
})

test('2: a missing input is named as the usage line names it; an address is no name of an agent', async () => {
  for (const [line, missing] of [
    ['allocate', 'AMOUNT'],
    ['tx stake 0x1', 'AMOUNT'],
    ['sandbox execute', '--sender, --commands'],
    ['register', 'AGENT_NAME'],
    ['register bob@example.com', 'AGENT_NAME'],
  ] as const) {
    const { error } = (await type(line, { env: NOWHERE })).json()
    assert.match(error.message, new RegExp(`^Missing: ${missing}\\. Usage: `), line)
  }
  const named = await type('register scout --address 0x1 --nonce n --signature s --dry-run', { env: NOWHERE })
  assert.equal(JSON.parse(named.stdout).data.body.agentName, 'scout')
})

test('0: "rebalance" takes the owner as a word, as "positions" does', async () => {
  for (const line of ['rebalance 0x7 --dry-run', 'rebalance --owner 0x7 --dry-run']) {
    const { code, stdout } = await type(line, { env: NOWHERE })
    assert.deepEqual([code, JSON.parse(stdout).data.body], [0, { owner: '0x7' }], line)
  }
})

test('0: help of a group lists its commands', async () => {
  const { code, stdout } = await type('help tx')
  assert.equal(code, 0)
  for (const word of ['tx stake VALIDATOR_ID AMOUNT', 'tx unstake', 'tx withdraw', 'tx batch'])
    assert(stdout.includes(word), word)
  assert.match((await type('help keys')).stdout, /Every agent registered with your verified/)
})

test('8, or 2 if it never could: if the service does not answer, the error says where its address comes from', async () => {
  const { code, json } = await type('epoch', { env: { STAKEWRIGHT_URL: 'http://127.0.0.1:2' } })
  assert.equal(code, 8)
  assert.match(json().error.fix ?? '', /--url, STAKEWRIGHT_URL or a profile/)
  const blocked = await type('epoch', { env: NOWHERE })
  assert.equal(blocked.code, 2)
  assert.match(blocked.json().error.fix ?? '', /the service itself: --url, STAKEWRIGHT_URL or a profile/)
  await using app = await openTestApp()
  const tls = await type('epoch', { env: { STAKEWRIGHT_URL: app.url.replace('http:', 'https:') } })
  assert.match(tls.json().error.message, /does not speak TLS, so its address begins with http:/)
})

test('0: a key may be in quotes and after Bearer, as in env files and headers', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  for (const written of [`"${apiKey}"`, `'${apiKey}'`, `Bearer ${apiKey}`, ` "Bearer ${apiKey}" `]) {
    const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: written }
    assert.equal((await type('usage', { env })).code, 0)
  }
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: `${apiKey} ${apiKey}` }
  const { error } = (await type('usage', { env })).json()
  assert.equal(error.code, 'unauthorized')
  assert.match(error.message, /^STAKEWRIGHT_API_KEY has characters that no key/)
})

test('0: "backtest" takes its amount as a word, as "allocate" does', async () => {
  const args = ['10000000000000', '--dry-run']
  const env = { ...NOWHERE, STAKEWRIGHT_API_KEY: 'stk_x' }
  for (const command of ['allocate', 'backtest'])
    assert.equal((await type([command, ...args], { env })).json().data.body.amount, args[0], command)
})

test('for an unknown profile a command that answers a key suggests --save, any other "profile set"', async () => {
  const line = (command: string) => type(`${command} --profile new`, { env: NOWHERE })
  assert.match((await line('key')).json().error.fix ?? '', /^Add --save to make it/)
  assert.match((await line('epoch')).json().error.fix ?? '', /profile set new/)
})

test('2: for a part of a command’s words the error suggests the whole command', async () => {
  for (const [line, whole] of [
    ['stake 0x1 5', 'tx stake'],
    ['advance', 'sandbox advance'],
    ['policy', 'own-policy or simulate-policy or read-policy or write-policy or policy-revisions'],
    ['commission-history 0x1', 'validator-commission-history'],
  ] as const) {
    const { code, json } = await type(line, { env: NOWHERE })
    assert.equal(code, 2)
    assert(json().error.message.endsWith(`Did you mean ${whole}?`), json().error.message)
  }
})

test('2: a refusal names a field of JSON input as in the JSON, an option as it is typed', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const input = '{"amount":"1000000000000","max_validators":2}'
  const { error } = (await type('allocate --input -', { env, input })).json()
  assert.equal(error.fix, 'Use `maxValidators` instead of `max_validators`.')
  const typed = (await type('allocate 1000000000000 --max-share 2', { env })).json().error
  assert.match(typed.message, /--max-share/)
})

test('2: an unknown field of JSON input is named in the error, also if it is near a known one', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '5000' } })
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const { properties } = inputJsonSchema(ENDPOINTS.allocate)
  const near = Object.keys(properties ?? {})
    .filter((name) => /[A-Z]/.test(name))
    .flatMap((name) => [name.replace(/[A-Z]/g, '_$&'), name.replace(/[A-Z]/g, '_$&').toLowerCase()])
  for (const name of [...near, 'foo_bar', 'horizon_epochs', 'max_turnover_x']) {
    const input = JSON.stringify({ amount: '1000000000000', [name]: 2 })
    const { error } = (await type(['allocate', '--input', input], { env })).json()
    assert.match(`${error.message} ${error.fix}`, new RegExp(`\`${name}\` is not a field.*\`${name}\`\\.`))
  }
  const { error } = (await type(['allocate', '--input', '{"amount":"1","max_validators":2}'], { env })).json()
  assert.match(error.fix ?? '', /^Use `maxValidators` instead of `max_validators`\./)
})

test('2: a secret in place of a field name or a value is never repeated', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const token = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')
  for (const secret of [apiKey, apiKey.slice(0, 9), 'stk_secret', 'acme_aBcDeF', 'acme_x7', token]) {
    for (const input of [{ [secret]: 1 }, { amount: secret, [`${secret}_x`]: secret }]) {
      const { stdout, stderr, code } = await type(['allocate', '--input', JSON.stringify(input)], { env })
      assert.equal(code, 2, secret)
      assert(!`${stdout}${stderr}`.includes(secret), `${stdout}${stderr}`)
    }
  }
})

test('2: a secret that the service repeats in any part of its refusal is not shown', async () => {
  const secret = 'stk_secret'
  const path = '/api/v1/staking/agent/allocate'
  const refusal = {
    error: 'invalid_input',
    message: `No ${secret}.`,
    status: 400,
    requestId: 'r',
    retryable: false,
    details: [{ field: secret, message: secret, given: [secret] }],
    next: { method: 'POST', path, body: { amount: secret } },
  }
  await using service = await serve((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refusal))
  })
  const env = { STAKEWRIGHT_URL: service.url, STAKEWRIGHT_API_KEY: 'stk_x' }
  const line = ['allocate', '--input', JSON.stringify({ amount: secret })]
  for (const isTerminal of [false, true]) {
    const { code, stdout, stderr } = await type(line, { env, isTerminal })
    assert.equal(code, 2)
    assert(!`${stdout}${stderr}`.includes(secret), `${stdout}${stderr}`)
  }
})

test('2: a missing value, a missing file and a negative number are named in plain words', async () => {
  for (const [line, words] of [
    ['epoch --url', /^--url needs a value\.$/],
    ['allocate --input @/nowhere/at-all', /^--input: there is no such file\.$/],
    ['sandbox advance -1', /^-1 is a negative number, which no input accepts\.$/],
  ] as const) {
    const { error } = (await type(line, { env: NOWHERE })).json()
    assert.deepEqual([error.code, words.test(error.message)], ['usage', true], error.message)
  }
})

test('2: for a required field with a wrong name in --input the error has both names', async () => {
  const wrong = [
    ['tx unstake', { staked_token_id: '0x1' }, 'staked_token_id', 'stakedTokenId'],
    ['tx stake', { validator_identifier: '0x1', amount: '1' }, 'validator_identifier', 'validatorId'],
    ['sandbox execute', { sender_address: '0x1', commands: [] }, 'sender_address', 'sender'],
    ['tx unstake', { stk_secret: '0x1' }, '…', 'stakedTokenId'],
    ['tx unstake', { 'ABCDE-FGHIJ-KLMNO-abcde': '0x1' }, '…', 'stakedTokenId'],
    ['tx unstake', { 'abandon ability able': '0x1' }, '…', 'stakedTokenId'],
  ] as const
  for (const [command, fields, name, field] of wrong) {
    const input = JSON.stringify(fields)
    for (const line of [
      [...command.split(' '), '--input', '-'],
      [...command.split(' '), '--input', input],
    ]) {
      const { code, json } = await type(line, { env: NOWHERE, input })
      assert.equal(code, 2)
      assert.equal(json().error.fix, `Use \`${field}\` instead of \`${name}\`.`)
    }
  }
})

test('2: for a file name without @ the error suggests @FILE', async () => {
  for (const line of [
    'allocate --input a.json',
    'verify --input t.json',
    'verify --input {} --keys k.json',
    'write-policy agt_1 --rules r.json',
  ]) {
    const { error } = (await type(line, { env: NOWHERE })).json()
    assert.match(error.message, /^--(?:input|keys|rules) is not JSON\.$/, line)
    assert.match(error.fix ?? '', /`@FILE`/, line)
  }
})

test('0: an option that takes JSON takes @FILE as well, and names a file that is not there', async () => {
  await using folder = await tempFolder()
  const file = join(folder.path, 'rules.json')
  const rules = [{ rule: 'paused' }]
  await writeFile(file, JSON.stringify(rules))
  const line = (path: string) =>
    type(['write-policy', 'agt_1', '--rules', `@${path}`, '--dry-run'], { env: NOWHERE })
  assert.deepEqual((await line(file)).json().data.body, { rules })
  const missing = await line(join(folder.path, 'other.json'))
  assert.deepEqual([missing.code, missing.json().error.message], [2, '--rules: there is no such file.'])
})

test('0: each call of a plan has its command', async () => {
  await using app = await openTestApp()
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
  const agent = app.client({ apiKey })
  const worst = (await agent.validators({ sort: 'score', order: 'asc', status: 'active' })).data[0]
  const sender = `0x${'11'.repeat(32)}`
  const { commands } = await agent.buildStake({ validatorId: worst?.id ?? '', amount: '5000000000000000' })
  await agent.sandboxExecute({ sender, commands })
  await agent.sandboxAdvance({ epochs: 3 })
  const { data } = (await type(`rebalance ${sender}`, { env })).json()
  assert(data.calls.length > 0)
  for (const { command, path } of data.calls)
    assert.match(command, /^stakewright tx (?:unstake|withdraw|stake|batch)\b/, path)
})
