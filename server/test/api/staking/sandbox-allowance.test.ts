import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { HOUR_MS } from '../../../src/durations.ts'
import { ME } from '../../support/holdings.ts'
import { sendRaw } from '../../support/raw-request.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

const ALL = BigInt(LIMITS.sandboxLoanCoins) * 1_000_000_000n
const HALF = ALL / 2n

async function newKey(app: TestApp): Promise<Client> {
  const { data } = await app.client().sandboxKey({ agentName: 'player' })
  return app.client({ apiKey: data.apiKey })
}

async function stake(agent: Client, amount: bigint): Promise<string> {
  const { data } = await agent.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const { commands } = await agent.buildStake({ validatorId, amount: String(amount) })
  const { created, status } = await agent.sandboxExecute({ sender: ME, commands })
  assert.equal(status, 'done')
  return created[0]?.stakedTokenId ?? ''
}

test('403: each key borrows up to its own share, whatever other keys have borrowed', async () => {
  await using app = await openTestApp()
  const [greedy, modest] = [await newKey(app), await newKey(app)]
  await stake(greedy, HALF)
  await stake(greedy, HALF)
  await assert.rejects(stake(greedy, 1_000_000_000n), {
    code: 'forbidden',
    fix: /pay coins back/,
    details: [{ field: 'commands', message: 'may borrow 0 SBX more' }],
  })
  await stake(modest, ALL)
  await assert.rejects(stake(modest, ALL), { code: 'forbidden' })
})

test('400: a transaction is executed until the end of its last epoch, and refused with its intent afterwards', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const build = () => agent.buildStake({ validatorId: id, amount: '5000000000', sender: ME })
  const [built, late] = [await build(), await build()]
  const execute = ({ commands, intent } = built) => agent.sandboxExecute({ sender: ME, commands, intent })
  const last = Number(built.intent.expiresEpoch)
  await agent.sandboxAdvance({ epochs: 1 })
  const { status, epoch } = await execute()
  assert.deepEqual([status, epoch], ['done', last])
  await agent.sandboxAdvance({ epochs: 1 })
  await assert.rejects(execute(late), {
    code: 'invalid_input',
    message: `\`intent\` expired at the end of epoch ${last}, and the chain is in epoch ${last + 1}: build the transaction again.`,
    fix: /^Build the transaction again/,
  })
  assert.equal((await agent.positions({ owner: ME })).positions.length, 1, 'nothing was done')
})

test('200: a transaction is executed once; every repeat has the first answer, at once, later and after a restart', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'player' })
  const agent = app.client({ apiKey: data.apiKey })
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const build = () => agent.buildStake({ validatorId: id, amount: '5000000000', sender: ME })
  const [built, twin] = [await build(), await build()]
  const execute = ({ commands, intent } = built, by = agent) =>
    by.sandboxExecute({ sender: ME, commands, intent })
  const answers = await Promise.all(Array.from({ length: 6 }, () => execute()))
  const [first] = answers
  for (const answer of answers) assert.deepEqual(answer, first)
  const tokens = async (by = agent) =>
    (await by.positions({ owner: ME })).positions.map(({ stakedTokenId }) => stakedTokenId)
  assert.deepEqual(
    await tokens(),
    first?.created.map(({ stakedTokenId }) => stakedTokenId),
  )
  assert.notDeepEqual((await execute(twin)).created, first?.created, 'another transaction that does the same')
  await agent.sandboxAdvance({ epochs: 5 })
  assert.deepEqual(await execute(), first, 'also after it has expired')
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock })
  const same = again.client({ apiKey: data.apiKey })
  assert.deepEqual(await execute(built, same), first)
  assert.equal((await tokens(same)).length, 2)
})

test('200: an aborted transaction can be executed later, and commands without an intent run each time', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const [first, second] = [await stake(agent, HALF / 2n), await stake(agent, HALF / 2n)]
  const { commands } = await agent.buildStake({
    validatorId: (await agent.validators()).data.find(({ status }) => status === 'active')?.id ?? '',
    amount: '5000000000',
    sender: ME,
  })
  for (const times of [3, 4]) {
    await agent.sandboxExecute({ sender: ME, commands })
    assert.equal((await agent.positions({ owner: ME })).positions.length, times)
  }
  await agent.sandboxAdvance({ epochs: 2 })
  const unstake = async (stakedTokenId: string) => {
    const built = await agent.buildUnstake({ stakedTokenId, sender: ME })
    await agent.sandboxExecute({ sender: ME, commands: built.commands, intent: built.intent })
  }
  await unstake(first)
  await agent.sandboxAdvance({ epochs: 1 })
  await unstake(second)
  const due = await agent.buildWithdraw({ stakedTokenId: first, sender: ME })
  const { commands: notDue, intent } = JSON.parse(JSON.stringify(due).replaceAll(first, second))
  const execute = () => agent.sandboxExecute({ sender: ME, commands: notDue, intent })
  assert.equal((await execute()).status, 'aborted')
  await agent.sandboxAdvance({ epochs: 1 })
  const done = await execute()
  assert.deepEqual([done.status, done.consumed], ['done', [second]])
  assert.deepEqual(await execute(), done)
})

test('400: an intent that expires later than any built one, or never, is refused, so that no repeat outlives its record', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const { commands, intent } = await agent.buildStake({ validatorId: id, amount: '5000000000', sender: ME })
  for (const expiresEpoch of [Number(intent.expiresEpoch) + 1, null]) {
    await assert.rejects(
      agent.sandboxExecute({ sender: ME, commands, intent: { ...intent, expiresEpoch } }),
      {
        code: 'invalid_input',
        message: /^`intent` expires later than any/,
        fix: 'Send `intent` as the build has returned it.',
      },
    )
  }
  assert.deepEqual((await agent.positions({ owner: ME })).positions, [])
})

test('400: a transaction is executed for the sender that its intent names, and for no other', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const [{ id } = { id: '' }] = (await agent.validators()).data
  const stake = { validatorId: id, amount: '5000000000' }
  const other = `0x${'77'.repeat(32)}`
  const { commands, intent } = await agent.buildStake({ ...stake, sender: ME })
  for (const shown of [ME, ME.toUpperCase().replace('0X', '0x'), `${ME.slice(0, 10)}…`]) {
    await assert.rejects(
      agent.sandboxExecute({ sender: other, commands, intent: { ...intent, sender: shown } }),
      {
        code: 'invalid_input',
        message: /^`sender` is not the one that `intent` names/,
        fix: 'Execute it as that sender, or build it again with this one.',
      },
    )
  }
  assert.deepEqual((await agent.positions({ owner: other })).positions, [])
  const open = await agent.buildStake(stake)
  const forAnybody = { commands: open.commands, intent: open.intent }
  for (const sender of [other, ME]) await agent.sandboxExecute({ sender, ...forAnybody })
  for (const owner of [other, ME]) assert.equal((await agent.positions({ owner })).positions.length, 1)
  const short = { ...intent, sender: `${ME.slice(0, 10)}…` }
  await assert.rejects(agent.sandboxExecute({ sender: ME, commands, intent: short }), {
    code: 'invalid_input',
    message: /^`sender` is not the one that `intent` names/,
  })
  assert.equal((await agent.sandboxExecute({ sender: ME, commands, intent })).status, 'done')
})

test('400: commands are executed with the intent of their own build only, and the refusal names what differs', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const [{ id: one } = { id: '' }, { id: other } = { id: '' }] = (await agent.validators()).data
  const stakeOf = (validatorId: string, amount = '5000000000') => ({
    action: 'stake' as const,
    validatorId,
    amount,
  })
  const build = (...items: readonly ReturnType<typeof stakeOf>[]) =>
    agent.buildBatch({ items: [...items], sender: ME })
  const single = await agent.buildStake({ validatorId: one, amount: '5000000000', sender: ME })
  const execute = ({ commands }: Pick<typeof single, 'commands'>, intent: typeof single.intent) =>
    agent.sandboxExecute({ sender: ME, commands, intent })
  const smaller = await build(stakeOf(one, '4000000000'))
  const elsewhere = await build(stakeOf(other))
  const both = await build(stakeOf(one), stakeOf(other))
  const [coin] = both.commands
  for (const [commands, intent, field, problem] of [
    [single, smaller, 'commands[0].amount', 'is 5000000000, but 4000000000 by `intent`'],
    [single, elsewhere, 'commands[1].arguments[2].value', `is ${one}, but ${other} by \`intent\``],
    [both, single, 'commands[3]', `is ${coin?.kind}, but nothing by \`intent\``],
    [elsewhere, both, 'commands[1].arguments[2].value', `is ${other}, but ${one} by \`intent\``],
  ] as const)
    await assert.rejects(execute(commands, intent.intent), {
      code: 'invalid_input',
      message: `\`${field}\` ${problem}; send the commands and the intent of one build.`,
      fix: 'Send the commands and the intent of one build.',
    })
  const staked = async () => (await agent.positions({ owner: ME })).positions
  const bare = { ...single.intent, expectedEffects: [{ action: 'stake' }] } as const
  await assert.rejects(execute(single, bare), { message: /`commands\[0\]\.amount` is 5000000000, but 0 by/ })
  assert.deepEqual(await staked(), [])
  const twin = await build(stakeOf(one))
  assert.equal((await execute(single, twin.intent)).status, 'done', 'the names of commands do not matter')
  const [{ stakedTokenId } = { stakedTokenId: '' }] = await staked()
  const whole = await agent.buildUnstake({ stakedTokenId, sender: ME })
  const part = await agent.buildUnstake({ stakedTokenId, sender: ME, amount: '2000000000' })
  await assert.rejects(execute(whole, part.intent), {
    message: /^`commands\[0\]\.target` is 0x\w+::system::/,
  })
  for (const { commands, intent } of [part, both])
    assert.equal((await execute({ commands }, intent)).status, 'done')
})

test('403: simultaneous loans do not exceed the share', async () => {
  await using app = await openTestApp()
  const agent = await newKey(app)
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => stake(agent, HALF)))
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 2)
})

test('200: withdrawn coins pay back the loan, which survives a restart', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'player' })
  const agent = app.client({ apiKey: data.apiKey })
  const stakedTokenId = await stake(agent, ALL)
  await agent.sandboxAdvance({ epochs: 1 })
  await app.stop()
  await using again = await openTestApp({ folder: app.folder, clock: app.clock })
  const same = again.client({ apiKey: data.apiKey })
  await assert.rejects(stake(same, HALF), { code: 'forbidden' })
  const unstake = await same.buildUnstake({ stakedTokenId, sender: ME })
  await same.sandboxExecute({ sender: ME, commands: unstake.commands })
  await same.sandboxAdvance({ epochs: 2 })
  const withdraw = await same.buildWithdraw({ stakedTokenId, sender: ME })
  const { coinsPaidOut } = await same.sandboxExecute({ sender: ME, commands: withdraw.commands })
  assert(BigInt(coinsPaidOut) >= ALL)
  await stake(same, ALL)
})

test('429: each key may advance a limited number of epochs per hour, separately from other keys', async () => {
  await using app = await openTestApp()
  const [hasty, other] = [await newKey(app), await newKey(app)]
  const whole = LIMITS.sandboxEpochsPerHour / 100
  for (let count = 0; count < whole; count += 1) await hasty.sandboxAdvance({ epochs: 100 })
  await assert.rejects(hasty.sandboxAdvance({ epochs: 1 }), { code: 'rate_limited' })
  await other.sandboxAdvance({ epochs: 1 })
  app.clock.advance(HOUR_MS)
  await app.runJob('watch-network')
  await hasty.sandboxAdvance({ epochs: 1 })
})

test('429: all keys of one address together may advance a limited number of epochs per hour', async () => {
  await using app = await openTestApp({ env: { TRUST_PROXY_HOPS: '1' } })
  const keys: string[] = []
  for (let count = 0; count < 30; count += 1)
    keys.push((await app.client().sandboxKey({ agentName: 'player' })).data.apiKey)
  const advance = (apiKey: string, from: string, epochs = 100) =>
    sendRaw(app.url, 'POST /api/v1/sandbox/advance', {
      headers: ['X-API-Key', apiKey, 'X-Forwarded-For', from],
      json: { epochs },
    })
  const answers = await Promise.all(keys.map((key) => advance(key, '198.51.100.7')))
  const moved = answers.filter(({ status }) => status === 200).length
  assert.equal(moved * 100, LIMITS.sandboxEpochsPerIpHour)
  assert(answers.every(({ status }) => status === 200 || status === 429))
  assert.equal((await advance(keys[0] ?? '', '198.51.100.8', 1)).status, 200)
})
