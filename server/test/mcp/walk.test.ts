import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EXAMPLES } from '@stakewright/contract/examples'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, ERAS, type Revision } from './mcp-client.ts'

const OWNER = `0x${'a1'.repeat(32)}`

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: an agent without a key can stake and withdraw with tools alone`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { data: issued } = await mcp.call('sandbox_key', { agentName: 'walker' })
    const { apiKey } = issued['data'] as { readonly apiKey: string }
    const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const result = await mcp.call(name, { ...args, apiKey })
      assert(!result.isError, `${name}: ${result.text}`)
      return result.data
    }

    const { allocations } = await call('allocate', { amount: '5000000000000', maxValidators: 1 })
    const [chosen] = allocations as readonly { readonly validatorId: string; readonly amount: string }[]
    assert(chosen)
    const built = await call('build_stake', { ...pick(chosen), sender: OWNER })
    const staked = await call('sandbox_execute', { sender: OWNER, commands: built['commands'] })
    assert.equal(staked['status'], 'done')
    await call('sandbox_advance', { epochs: 3 })

    const held = await call('positions', { owner: OWNER })
    const [position] = held['positions'] as readonly {
      readonly stakedTokenId: string
      readonly rewards: string
    }[]
    assert(position && BigInt(position.rewards) > 0n, 'the stake has earned')
    const { stakedTokenId } = position
    const unstake = await call('build_unstake', { stakedTokenId })
    await call('sandbox_execute', { sender: OWNER, commands: unstake['commands'] })
    await call('sandbox_advance', { epochs: 3 })
    const withdraw = await call('build_withdraw', { stakedTokenId })
    const paid = await call('sandbox_execute', { sender: OWNER, commands: withdraw['commands'] })
    assert(BigInt(String(paid['coinsPaidOut'])) > 5_000_000_000_000n)
  })
}

test('a transaction that the contract aborts is an error result with the whole answer; a repeat of an executed one is not', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { data: issued } = await mcp.call('sandbox_key', { agentName: 'walker' })
  const { apiKey } = issued['data'] as { readonly apiKey: string }
  const call = (name: string, args: Readonly<Record<string, unknown>>) => mcp.call(name, { ...args, apiKey })
  const execute = ({ commands, intent }: Readonly<Record<string, unknown>>) =>
    call('sandbox_execute', { sender: OWNER, commands, intent })
  const { data: split } = await call('allocate', { amount: '5000000000000', maxValidators: 1 })
  const [chosen] = split['allocations'] as readonly {
    readonly validatorId: string
    readonly amount: string
  }[]
  assert(chosen)
  const { data: staked } = await execute((await call('build_stake', { ...pick(chosen), sender: OWNER })).data)
  await call('sandbox_advance', { epochs: 3 })
  const [{ stakedTokenId } = { stakedTokenId: '' }] = staked['created'] as readonly {
    readonly stakedTokenId: string
  }[]
  const unstake = () => call('build_unstake', { stakedTokenId, sender: OWNER })
  const [first, second] = [(await unstake()).data, (await unstake()).data]
  const done = await execute(first)
  const aborted = await execute(second)
  assert(!done.isError && aborted.isError)
  assert.equal(aborted.data['status'], 'aborted')
  assert.match(aborted.text, /^status: aborted/)
  const again = await execute(first)
  assert(!again.isError)
  assert.deepEqual(again.data, done.data)
})

test('sandbox_execute accepts an intent with ids abbreviated as in the text of its build, for its own sender only', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { data: issued } = await mcp.call('sandbox_key', { agentName: 'walker' })
  const { apiKey } = issued['data'] as { readonly apiKey: string }
  const call = (name: string, args: Readonly<Record<string, unknown>>) => mcp.call(name, { ...args, apiKey })
  const { data: split } = await call('allocate', { amount: '5000000000000', maxValidators: 1 })
  const [chosen] = split['allocations'] as readonly {
    readonly validatorId: string
    readonly amount: string
  }[]
  assert(chosen)
  const { text, data: built } = await call('build_stake', { ...pick(chosen), sender: OWNER })
  const [, shown] = /^ {2}sender: (0x\w{8}…)$/m.exec(text) ?? []
  assert(shown, text)
  const intent = JSON.parse(JSON.stringify(built['intent']).replaceAll(/(0x[0-9a-f]{8})[0-9a-f]{56}/g, '$1…'))
  assert.equal(intent.sender, shown)
  const executeAs = (sender: string) =>
    call('sandbox_execute', { sender, commands: built['commands'], intent })
  const foreign = await executeAs(`0x${'b2'.repeat(32)}`)
  assert(foreign.isError)
  assert.match(foreign.text, /`sender` is not the one that `intent` names/)
  for (const spelled of [OWNER, OWNER.toUpperCase().replace('0X', '0x')]) {
    const done = await executeAs(spelled)
    assert.equal(done.data['status'], 'done', done.text)
  }
})

type PlannedCall = {
  readonly order: number
  readonly epoch: number
  readonly tool: string
  readonly arguments: Readonly<Record<string, string>>
  readonly tokenOfCall?: number
}

test('the calls of a plan are tools with arguments, which carry out the plan unchanged', async () => {
  await using app = await openTestApp()
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { data: issued } = await mcp.call('sandbox_key', { agentName: 'planner' })
  const { apiKey } = issued['data'] as { readonly apiKey: string }
  const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
    const result = await mcp.call(name, { ...args, apiKey })
    assert(!result.isError, `${name}: ${result.text}`)
    return result
  }
  const execute = async (commands: unknown) => {
    const { data } = await call('sandbox_execute', { sender: OWNER, commands })
    assert.equal(data['status'], 'done')
    return data['created'] as readonly { readonly stakedTokenId: string }[]
  }
  const { data: split } = await call('allocate', { amount: '5000000000000', maxValidators: 1 })
  const [chosen] = split['allocations'] as readonly {
    readonly validatorId: string
    readonly amount: string
  }[]
  assert(chosen)
  await execute((await call('build_stake', pick(chosen))).data['commands'])
  await call('sandbox_advance', { epochs: 3 })

  const plan = await call('plan_rebalance', { owner: OWNER, exclude: [chosen.validatorId] })
  assert.doesNotMatch(plan.text, /\/api\/|POST/)
  const calls = plan.data['calls'] as readonly PlannedCall[]
  assert.deepEqual([...new Set(calls.map(({ tool }) => tool))].toSorted(), [
    'build_stake',
    'build_unstake',
    'build_withdraw',
  ])
  for (const { epoch, tool, arguments: given } of calls) {
    const { epoch: now } = (await mcp.call('epoch')).data as { readonly epoch: number }
    if (epoch > now) await call('sandbox_advance', { epochs: epoch - now })
    await execute((await call(tool, given)).data['commands'])
  }
  const { data } = await call('positions', { owner: OWNER })
  const held = data['positions'] as readonly { readonly validatorId: string }[]
  assert(held.length > 0 && held.every(({ validatorId }) => validatorId !== chosen.validatorId))
})

const pick = ({ validatorId, amount }: { readonly validatorId: string; readonly amount: string }) => ({
  validatorId,
  amount,
})

test('the prompt to review positions names a call that returns a plan', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'reviewer' })
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': data.apiKey })
  const { owner } = EXAMPLES.positions
  const { messages } = await mcp.client.getPrompt({ name: 'review-positions', arguments: { owner } })
  const [, tool = '', field = '', value] =
    /Call (\w+) with (\w+) (0x\w+)\./.exec(JSON.stringify(messages)) ?? []
  const plan = await mcp.call(tool, { [field]: value })
  assert(!plan.isError && 'calls' in plan.data, plan.text)
})
