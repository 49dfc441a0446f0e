import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { type } from './typed-line.ts'

const SENDER = `0x${'11'.repeat(32)}`

test('0, 4 and 2: a built transaction is verified against a wish, without the service', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const built = await type(`tx stake ${id} 5000000000 --sender ${SENDER}`, { env })
  const wish = { network: 'sandbox', sender: SENDER, action: 'stake', validator: id, amount: '5000000000' }
  const verify = (wished: object) =>
    type(['verify', '--input', '-', '--wish', JSON.stringify(wished)], { input: built.stdout })

  const right = await verify(wish)
  assert.equal(right.code, 0, right.stdout)
  assert.match(right.json().data.does[0], /^Stakes 5 SBX with the validator 0x/)
  assert.deepEqual(right.json().data.stillOpen, ['gas', 'which coins'])

  const wrong = await verify({ ...wish, amount: '4000000000' })
  assert.equal(wrong.code, 4)
  assert.equal(wrong.json().error.code, 'not_as_wished')
  assert.match(wrong.json().error.message, /Stakes 5 SBX/)
  assert.equal((await verify({ ...wish, amont: '1' })).code, 2)

  const { transaction } = built.json().data
  const file = join(folder.path, 'request.json')
  await writeFile(file, JSON.stringify({ transaction, wish }))
  assert.equal((await type(`verify --input @${file}`)).code, 0)
  const shown = await type(`verify --input @${file}`, { isTerminal: true })
  assert.match(shown.stdout, /^It is what was wished\.\nStakes 5 SBX[\s\S]*Still open: gas/)
  assert.equal((await type(['verify', '--input', '{}'])).code, 2)
  for (const [option, message] of [
    ['--wish', /^The wish cannot be used: a wish in words is `stake 5 IKA/],
    ['--wish {"network"', /^--wish is not JSON/],
    ['--keys', /^--keys is not JSON/],
  ] as const) {
    const refused = await type([
      ...`verify --input @${file} ${option}`.split(' '),
      ...(option.includes('{') ? [] : ['keys.json']),
    ])
    assert.equal(refused.code, 2)
    assert.match(refused.json().error.message, message)
  }
})

test('0, 4 and 2: a wish may be in words, and of several wishes all must hold', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const built = await type(`tx stake ${id} 5000000000 --sender ${SENDER}`, { env })
  const wished = (amount: string) => ['--wish', `stake ${amount} SBX with validator ${id} from ${SENDER}`]
  const verify = async (input: string, ...args: string[]) =>
    (await type(['verify', '--input', input, ...args], { input: built.stdout })).code
  assert.equal(await verify('-', ...wished('5')), 0)
  assert.equal(await verify('-', ...wished('5.000000001')), 4)
  assert.equal(await verify('-', ...wished('5,0')), 2)
  const named = ['--wish', 'stake 5 SBX with Mossy Ridge from me']
  const { code, json } = await type(['verify', '--input', '-', ...named], { input: built.stdout })
  assert.deepEqual([code, json().error.code], [2, 'usage'])
  assert.match(json().error.message, /the validator must be written as 0x and all 64 hex digits/)
  const [right, wrong] = [wished('5'), wished('6')]
  assert.equal(await verify('-', ...right, ...right), 0)
  for (const both of [
    [...right, ...wrong],
    [...wrong, ...right],
  ])
    assert.equal(await verify('-', ...both), 4)
  const { transaction } = built.json().data
  for (const [inside, code] of [
    [right, 0],
    [wrong, 4],
  ] as const)
    assert.equal(await verify(JSON.stringify({ transaction, wish: inside[1] }), ...right), code)
  const keys = ['--keys', JSON.stringify(await app.client().intentKeys())]
  assert.equal(await verify('-', ...keys, ...keys), 2)
})

test('0 and 2: a batch is wished with `items`, as the help and the refusal of a list say', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const items = ['5000000000', '6000000000'].map((amount) => ({ action: 'stake', validatorId: id, amount }))
  const input = JSON.stringify({ items, sender: SENDER })
  const built = await type(['tx', 'batch', '--input', '-'], { env, input })
  const verify = (wish: unknown) =>
    type(['verify', '--input', '-', '--wish', JSON.stringify(wish)], { input: built.stdout })
  assert.equal((await verify({ network: 'sandbox', sender: SENDER, items })).code, 0)
  const { code, json } = await verify(items)
  assert.equal(code, 2)
  assert.match(json().error.message, /\{ "network", "sender", "items": \[…\] \}/)
  assert.match((await type('help verify')).stdout, /wish for a batch is \{ "network", "sender", "items"/)
})

test('2: JSON with duplicate keys is refused, because a reader and the parser may keep different ones', async () => {
  const wish = `"network": "sandbox", "sender": "${SENDER}", "action": "join"`
  const twice = [
    `{ "transaction": {}, "wish": { ${wish}, "amount": "1", "amount": "2" } }`,
    `{ "transaction": {}, "wish": { ${wish} }, "wish": { ${wish} } }`,
    `{ "transaction": { "a:\\"b": [{ "c": 1, "\\u0063": 2 }] }, "wish": { ${wish} } }`,
  ]
  for (const input of twice) {
    const { code, json } = await type(['verify', '--input', '-'], { input })
    assert.deepEqual([code, json().error.message], [2, '--input has a key twice in one object.'], input)
  }
  const once = `{ "transaction": { "a:\\"b": ["{:}", { "c": ":" }, ${'['.repeat(9_000)}${']'.repeat(9_000)}] }, "wish": { ${wish} } }`
  const { json } = await type(['verify', '--input', '-'], { input: once })
  assert.match(json().error.message, /^The wish cannot be used: stakedTokenIds/)
})

test('2: an input with a second transaction, wish or intent is refused, whichever of the two is honest', async () => {
  await using app = await openTestApp()
  const { data: agent } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: agent.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const wish = `stake 5 SBX with validator ${id} from ${SENDER}`
  const keys = await app.client().intentKeys()
  const answerOf = async (sender: string) =>
    (await type(`tx stake ${id} 5000000000 --sender ${sender}`, { env })).json().data
  const honest = await answerOf(SENDER)
  const other = await answerOf(`0x${'66'.repeat(32)}`)
  const verify = async (input: object, ...args: string[]) => {
    const line = ['verify', '--input', '-', '--keys', JSON.stringify(keys), '--wish', wish, ...args]
    const { code, json } = await type(line, { input: JSON.stringify(input) })
    return { code, message: String(json().error?.message) }
  }
  assert.equal((await verify({ ok: true, data: honest })).code, 0)
  assert.equal((await verify(honest)).code, 0)
  const ambiguous = Object.entries({
    'beside "data"': [
      { ok: true, data: honest, transaction: other.transaction },
      { ok: true, data: honest, transaction: honest.transaction },
      { ok: true, data: honest, wish: wish.replace('5', '6') },
      { ok: true, data: honest, intent: other.intent },
      { ok: true, data: honest, signed: { tx: other.transaction } },
    ],
    'within "data"': [
      { ...honest, data: other },
      { ok: false, ...honest, data: { transaction: other.transaction } },
      { ok: true, data: { ...honest, next: [{ transaction: other.transaction }] } },
    ],
    'deeper inside': [
      { ...honest, tx: other.transaction },
      { ...honest, list: [{ intent: other.intent }] },
    ],
  }).flatMap(([where, inputs]) => inputs.map((input) => [where, input] as const))
  for (const [where, input] of ambiguous) {
    const { code, message } = await verify(input)
    assert.equal(code, 2, `${where}: ${Object.keys(input)}`)
    assert(message.includes(`Remove the one ${where}.`), message)
  }
  for (const [amount, code] of [
    ['5', 0],
    ['6', 4],
  ] as const) {
    const inside = { ok: true, data: { ...honest, wish: wish.replace('5', amount) } }
    assert.equal((await verify(inside)).code, code, 'a wish in the output must hold as well')
  }
  const beside = await verify({ ok: true, data: honest, note: '' })
  assert.equal(beside.code, 2)
  assert.match(beside.message, /remove what is beside it/)
  const twoKeys = JSON.stringify({ ok: true, data: keys, keys: [] })
  const line = ['verify', '--input', JSON.stringify(honest), '--keys', twoKeys]
  const { code, json } = await type(line)
  assert.equal(code, 2)
  assert.match(json().error.message, /^--keys is the output of a command.* has "keys" beside "data"/)
})

test('0, 4 and 2: the intent of an answer replaces the wish only if --keys checks its signature', async () => {
  await using app = await openTestApp()
  await using folder = await tempFolder()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const built = await type(`tx stake ${id} 5000000000 --sender ${SENDER}`, { env })
  const keys = join(folder.path, 'keys.json')
  await writeFile(keys, (await type('intent-keys', { env })).stdout)
  const verify = (answer: object, more = `--keys @${keys}`) =>
    type(`verify --input - ${more}`, { input: JSON.stringify(answer) })
  const answer = built.json().data

  const right = await verify(answer)
  assert.equal(right.code, 0, right.stdout)
  assert.deepEqual(right.json().data.unchecked, ['wish'])
  const shown = await type(`verify --input - --keys @${keys}`, { input: built.stdout, isTerminal: true })
  assert.match(shown.stdout, /^It is what the service has signed\. .*give --wish\.\nStakes 5 SBX/)
  const wish = { network: 'sandbox', sender: SENDER, action: 'stake', validator: id, amount: '5000000000' }
  const wished = await type(['verify', '--input', '-', '--wish', JSON.stringify(wish)], {
    input: built.stdout,
  })
  assert.deepEqual([wished.code, wished.json().data.unchecked], [0, ['intentSignature']], wished.stdout)

  const wrong = await verify({ ...answer, intent: { ...answer.intent, policyHash: 'x' } })
  assert.equal(wrong.code, 4)
  assert.deepEqual(
    JSON.parse(wrong.stdout).error.details.map(({ field }: { readonly field: string }) => field),
    ['signature', 'intent id'],
  )
  for (const forged of [{ v: 2 }, { amount: '1' }, { validator: `0x${'7'.repeat(64)}` }])
    assert.equal(
      (await verify({ ...answer, intent: { ...answer.intent, ...forged } })).code,
      4,
      JSON.stringify(forged),
    )
  assert.equal((await verify(answer, '--keys {"keys":[]}')).code, 2)
  assert.equal((await verify({ transaction: answer.transaction, wish: {} })).code, 2)
  assert.equal((await verify(answer, '--pins-digest other')).code, 2)
})

test('2: without --wish and --keys an answer is not verified against its own wish or intent', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const wish = { network: 'sandbox', sender: SENDER, action: 'stake', validator: id, amount: '5000000000' }
  const other = (await type(`tx stake ${id} 9000000000 --sender ${SENDER}`, { env })).json().data
  const own = { ...wish, amount: '9000000000' }
  const verify = (answer: object, ...more: readonly string[]) =>
    type(['verify', '--input', '-', ...more], { input: JSON.stringify(answer) })

  for (const answer of [other, { ok: true, data: other }, { ok: true, data: { ...other, wish: own } }]) {
    const { code, json } = await verify(answer)
    assert.deepEqual([code, json().error.code], [2, 'usage'])
    assert.match(`${json().error.message} ${json().error.fix}`, /your own wish.*--wish.*--keys/)
  }
  const { code, json } = await verify(
    { ok: true, data: { ...other, wish: own } },
    '--wish',
    JSON.stringify(wish),
  )
  assert.deepEqual([code, json().error.code], [4, 'not_as_wished'])
})

test('4: with a wish and without keys, the intent in the input must agree with the transaction', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const stake = async (more: string) => (await type(`tx stake ${id} 5000000000${more}`, { env })).json().data
  const answer = await stake(` --sender ${SENDER}`)
  const words = `stake 5 SBX with validator ${id} from ${SENDER}`
  const verify = (input: object, ...more: readonly string[]) =>
    type(['verify', '--input', '-', '--wish', words, ...more], { input: JSON.stringify(input) })
  const keys = ['--keys', JSON.stringify(await app.client().intentKeys())]
  const fieldsOf = async (input: object, ...more: readonly string[]) => {
    const { code, json } = await verify(input, ...more)
    return code === 0 ? json().data.unchecked : json().error.details?.map(({ field }) => field)
  }
  const { expiresEpoch } = answer.intent
  const nameless = { ...(await stake('')), transaction: answer.transaction }
  for (const built of [answer, nameless])
    for (const [signature, unchecked] of [
      [keys, []],
      [[], ['intentSignature']],
    ] as const) {
      assert.deepEqual(await fieldsOf(built, ...signature), unchecked)
      for (const expiration of [{ Epoch: expiresEpoch + 1 }, { Epoch: 99_999 }, { None: true }, null]) {
        const late = { ...built, transaction: { ...built.transaction, expiration } }
        assert.deepEqual(await fieldsOf(late, ...signature), ['expiry'], JSON.stringify(expiration))
      }
    }
  for (const [forged, rule] of [
    [{ policyHash: 'x' }, 'intent id'],
    [{ expiresEpoch: null }, 'intent id'],
    [{ maxGas: null }, 'intent'],
    [{ amount: '1' }, 'intent'],
  ] as const)
    assert.deepEqual(await fieldsOf({ ...answer, intent: { ...answer.intent, ...forged } }), [rule])
  const { transaction } = answer
  assert.deepEqual(await fieldsOf({ transaction }), ['expiry'], 'which nothing bounds')
  const shown = async (input: object) =>
    (await type(['verify', '--wish', words], { input: JSON.stringify(input), isTerminal: true })).stdout
  assert.match(
    await shown({ transaction: { ...transaction, expiration: { None: true } } }),
    /it never expires\.\nNot checked: until when/,
  )
  const whole = await shown(answer)
  assert.match(whole, new RegExp(`until the end of the epoch ${expiresEpoch} .*\\nNot checked: who made`))
  assert.doesNotMatch(whole, /Not checked: until when/)
  const empty = await type(['verify', '--wish', words])
  assert.deepEqual([empty.code, empty.json().error.message.slice(0, 26)], [2, 'The transaction is missing'])
})

test('4: an expired intent is refused, with --keys and with --wish, by the clock or at the time of --at', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const [{ id } = { id: '' }] = (await app.client().validators()).data
  const built = await type(`tx stake ${id} 5000000000 --sender ${SENDER}`, { env })
  const keys = (await type('intent-keys', { env })).stdout
  const wish = { network: 'sandbox', sender: SENDER, action: 'stake', validator: id, amount: '5000000000' }
  const { expiresAt } = built.json().data.intent
  const end = Date.parse(expiresAt)
  const input = built.stdout
  for (const more of [
    ['--keys', keys],
    ['--wish', JSON.stringify(wish)],
  ]) {
    const verify = (now: number, ...at: readonly string[]) =>
      type(['verify', '--input', '-', ...more, ...at], { input, now })
    assert.equal((await verify(end)).code, 0)
    const late = await verify(end + 1)
    assert.deepEqual([late.code, late.json().error.details?.map(({ field }) => field)], [4, ['expiry']])
    assert.equal((await verify(end + 1, '--at', expiresAt)).code, 0)
    assert.equal((await verify(end, '--at', new Date(end + 1).toISOString())).code, 4)
    for (const wrong of ['yesterday', '2026-01-31', String(end)])
      assert.equal((await verify(end, '--at', wrong)).code, 2, wrong)
  }
})

test('the token of a mail is for verify-email; "verify" with nothing but a token runs verify-email', async () => {
  await using app = await openTestApp()
  const env = { STAKEWRIGHT_URL: app.url }
  for (const words of ['verify-email', 'verify']) {
    const { code, json } = await type(`${words} ${'ab'.repeat(32)} --json`, { env })
    assert.deepEqual([code, json().error.code], [2, 'invalid_input'])
  }
})

test('2: a word beside the options of "verify" is refused, and never sent to the service', async () => {
  const env = { STAKEWRIGHT_URL: 'http://127.0.0.1:9' }
  const word = 'ab'.repeat(32)
  for (const line of [
    `verify ${word} --input -`,
    `verify --wish x ${word}`,
    `verify ${word} --at 2026-01-31T12:00:00Z`,
    `verify --pins @table.json ${word}`,
    `verify ${word} ${word}`,
    'verify something',
  ]) {
    const { code, json } = await type(line, { env, input: '{}' })
    assert.deepEqual([code, json().error.code], [2, 'usage'], line)
    assert.match(json().error.message, /stakewright verify-email/)
  }
  assert.equal((await type(`verify --url ${env.STAKEWRIGHT_URL}`, { env })).code, 2)
})
