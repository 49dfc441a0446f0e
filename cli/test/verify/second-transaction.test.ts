import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { connectMcp } from '../../../server/test/mcp/mcp-client.ts'
import { openTestApp } from '../../../server/test/support/test-app.ts'
import { type } from '../typed-line.ts'

const SENDER = `0x${'11'.repeat(32)}`
const THIEF = `0x${'cc'.repeat(32)}`
const FIVE = '5000000000'

async function openAgent() {
  const app = await openTestApp({ env: { LIMIT_IP_RPM: '5000' } })
  const { data } = await app.client().sandboxKey({ agentName: 'cli' })
  const env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: data.apiKey }
  const key = app.client({ apiKey: data.apiKey })
  const [{ id } = { id: '' }] = (await key.validators()).data
  const keys = JSON.stringify(await key.intentKeys())
  const verify = async (input: unknown, wish: object) => {
    const about = { network: 'sandbox', sender: SENDER }
    const withKeys = JSON.stringify(input).includes('"intentSignature"') ? ['--keys', keys] : []
    const line = ['verify', '--input', '-', ...withKeys, '--wish', JSON.stringify({ ...about, ...wish })]
    const { code, json } = await type(line, { input: JSON.stringify(input) })
    return { code, message: String(json().error?.message) }
  }
  return { app, env, key, id, verify, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** A transaction that sends the whole gas coin to a thief. */
async function theft() {
  const transaction = new Transaction()
  transaction.transferObjects([transaction.gas], THIEF)
  transaction.setSender(SENDER)
  transaction.setGasPrice(1000)
  transaction.setGasBudget(5_000_000)
  const digest = '11111111111111111111111111111111'
  transaction.setGasPayment([{ objectId: `0x${'77'.repeat(32)}`, version: '1', digest }])
  const bytes = Buffer.from(await transaction.build())
  return { bytes, json: await transaction.toJSON() }
}

test('2: an input with a second transaction at any place and in any encoding is refused', async () => {
  await using opened = await openAgent()
  const { key, id, verify } = opened
  const honest = await key.buildStake({ validatorId: id, amount: FIVE, sender: SENDER })
  const wish = { action: 'stake', validator: id, amount: FIVE }
  assert.equal((await verify(honest, wish)).code, 0)
  const { bytes, json } = await theft()
  const forms = [
    bytes.toString('base64'),
    bytes.toString('hex'),
    `0x${bytes.toString('hex')}`,
    [...bytes],
    json,
  ]
  const inputs = forms.flatMap((evil) => [
    { ...honest, note: evil },
    { ...honest, list: [{ note: evil }] },
    { ...honest, summary: evil },
    { ...honest, intent: { ...honest.intent, note: evil } },
    { ok: true, data: { ...honest, note: evil } },
    { ok: true, data: honest, note: evil },
    { ...honest, warnings: [JSON.stringify({ note: evil })] },
  ])
  for (const input of inputs) {
    const { code, message } = await verify(input, wish)
    assert.equal(code, 2, JSON.stringify(input).slice(0, 3_000))
    assert.match(message, /so another one than is checked might be signed|remove what is beside it/)
  }
})

test('2: a field with a name that wallets give to transactions is refused, whatever its value', async () => {
  await using opened = await openAgent()
  const { key, id, verify } = opened
  const honest = await key.buildStake({ validatorId: id, amount: FIVE, sender: SENDER })
  const wish = { action: 'stake', validator: id, amount: FIVE }
  for (const name of ['bytes', 'txBytes', 'tx_bytes', 'transactionBlock', 'tx', 'Transaction', 'TX'])
    for (const input of [
      { ...honest, [name]: 'AAAA' },
      { ...honest, next: { [name]: null } },
      { ...honest, next: [{ [name]: {} }] },
      { ok: true, data: { ...honest, [name]: 'AAAA' } },
    ]) {
      const { code, message } = await verify(input, wish)
      assert.equal(code, 2, `${name} of ${Object.keys(input)}`)
      assert.match(message, /what wallets sign/)
    }
})

test('0: every answer with a transaction can be verified as it is, from REST, MCP and the command line', async () => {
  await using opened = await openAgent()
  const { app, env, key, id, verify } = opened
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'X-API-Key': env.STAKEWRIGHT_API_KEY })
  const checked: string[] = []
  const check = async (name: string, answer: unknown, wish: object) => {
    const { code, message } = await verify(answer, wish)
    assert.equal(code, 0, `${name}: ${message}`)
    checked.push(name)
  }
  /** By the name of the tool and the words of the command. */
  const checkAll = async (what: string, input: Readonly<Record<string, unknown>>, wish: object) => {
    const request = { ...input, sender: SENDER }
    const called = await mcp.call(`build_${what}`, { ...request, detail: 'full' })
    assert.equal(called.isError, false, called.text)
    await check(`${what}, MCP`, called.data, wish)
    const { data: short } = await mcp.call(`build_${what}`, request)
    // A long answer omits the intent first, then the whole transaction; `omitted` counts them.
    if ('transaction' in short) await check(`${what}, short`, short, wish)
    else assert.match((await verify(short, wish)).message, /^A transaction and a wish are needed/)
    const line = ['tx', what, '--input', '-', '--json']
    const typed = await type(line, { env, input: JSON.stringify(request) })
    assert.equal(typed.code, 0, typed.stdout)
    await check(`${what}, command line`, typed.json(), wish)
    await check(`${what}, data of it`, typed.json().data, wish)
  }
  const stake = { validatorId: id, amount: FIVE }
  await check('stake, REST', await key.buildStake({ ...stake, sender: SENDER }), {
    action: 'stake',
    ...stake,
  })
  await checkAll('stake', stake, { action: 'stake', ...stake })
  for (let count = 0; count < 3; count += 1) {
    const { commands } = await key.buildStake({ ...stake, sender: SENDER })
    await key.sandboxExecute({ sender: SENDER, commands })
  }
  const ids = (await key.positions({ owner: SENDER })).positions.map(({ stakedTokenId }) => stakedTokenId)
  const [first = '', second = '', third = ''] = ids
  const joined = { stakedTokenIds: [first, second] }
  await check('join, REST', await key.buildJoin({ ...joined, sender: SENDER }), { action: 'join', ...joined })
  await checkAll('join', joined, { action: 'join', ...joined })
  await key.sandboxAdvance({ epochs: 2 })
  const part = { stakedTokenId: first, amount: '2000000000' }
  const items = [
    { action: 'stake' as const, ...stake },
    { action: 'unstake' as const, ...part },
  ]
  await check('batch, REST', await key.buildBatch({ items, sender: SENDER }), { items })
  await checkAll('batch', { items }, { items })
  for (const wish of [part, { stakedTokenId: third }]) {
    const built = await key.buildUnstake({ ...wish, sender: SENDER })
    await check('unstake, REST', built, { action: 'unstake', ...wish })
    await checkAll('unstake', wish, { action: 'unstake', ...wish })
  }
  const { commands } = await key.buildUnstake({ stakedTokenId: third, sender: SENDER })
  await key.sandboxExecute({ sender: SENDER, commands })
  await key.sandboxAdvance({ epochs: 2 })
  const paid = { stakedTokenId: third }
  const rest = await key.buildWithdraw({ ...paid, sender: SENDER })
  await check('withdraw, REST', rest, { action: 'withdraw', ...paid })
  await checkAll('withdraw', paid, { action: 'withdraw', ...paid })
  assert.equal(checked.length, 29)
})
