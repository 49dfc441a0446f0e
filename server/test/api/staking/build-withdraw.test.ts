import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EPOCH, OWNER, sampleNetwork, TOKENS, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { idOf } from '../../fake-full-node/world.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openAppOn, openChainApp, openSandboxApp } from '../../support/chain-app.ts'
import { holdingsOn, ME, stakeInSandbox } from '../../support/holdings.ts'
import { refusesField } from '../refused.ts'

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: a due token is paid out now`, async () => {
    await using app = await openAppOn(network)
    const { due } = await holdingsOn(network, app.agent)
    const built = await app.agent.buildWithdraw(due)
    assert.equal(built.action, 'withdraw')
    assert.equal(built.requiresEpochWait, false)
    assert.equal(built.availableAtEpoch, built.epoch)
    assert.equal(built.availableAt, new Date(app.clock.now()).toISOString())
    assert.match(built.summary, /^Pays out \d+ \w+ and its rewards at once/)
  })

  test(`400: ${network}: a token that does not exist or belongs to somebody else`, async () => {
    await using app = await openAppOn(network)
    const { due } = await holdingsOn(network, app.agent)
    const withdraw = (more: object) => app.agent.buildWithdraw({ ...due, ...more })
    await refusesField(withdraw({ stakedTokenId: idOf(0xdead) }), 'stakedTokenId', /lists them/)
    await refusesField(withdraw({ sender: idOf(0xdead) }), 'sender', /can sign for it/)
  })
}

for (const network of ['ika', 'walrus'] as const) {
  test(`400: ${network}: a withdrawal that is too early is refused with the epoch, the time and the call before`, async () => {
    const sample = sampleNetwork()
    const waiting = {
      id: idOf(0x205),
      owner: OWNER,
      validatorId: VALIDATORS.steady,
      principal: 5_000_000_000n,
      activationEpoch: 30,
      withdrawEpoch: EPOCH + 2,
    }
    await using app = await openChainApp(network, [
      WORLDS[network]({ ...sample, tokens: [...sample.tokens, waiting] }),
    ])
    const withdraw = (stakedTokenId: string) => app.agent.buildWithdraw({ stakedTokenId })
    await refusesField(
      withdraw(waiting.id),
      'stakedTokenId',
      /^can be withdrawn from epoch 42 on, due at 2026-09-03T00:00:00\.000Z; now is epoch 40$/,
    )
    await refusesField(
      withdraw(TOKENS.earning),
      'stakedTokenId',
      /is still staked; use .*tx\/unstake first, after which it can be withdrawn from epoch 41 on, due at/,
    )
  })
}

test('200: sandbox: the transaction of every step has the stated effects on the chain', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { data } = await agent.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const run = async ({
    commands,
  }: {
    readonly commands: Parameters<typeof agent.sandboxExecute>[0]['commands']
  }) => agent.sandboxExecute({ sender: ME, commands })

  const { stakedTokenId } = await stakeInSandbox(agent, validatorId)
  await agent.sandboxAdvance({ epochs: 1 })
  const request = await agent.buildUnstake({ stakedTokenId, sender: ME })
  const { changed } = await run(request)
  assert.deepEqual(changed, [{ stakedTokenId, withdrawEpoch: request.availableAtEpoch }])
  await refusesField(agent.buildWithdraw({ stakedTokenId }), 'stakedTokenId', /can be withdrawn from epoch/)
  await refusesField(agent.buildUnstake({ stakedTokenId }), 'stakedTokenId', /was unstaked before; use/)
  await agent.sandboxAdvance({ epochs: 1 })
  await refusesField(agent.buildUnstake({ stakedTokenId }), 'stakedTokenId', /is due; use/)
  const { consumed, coinsPaidOut } = await run(await agent.buildWithdraw({ stakedTokenId }))
  assert.deepEqual(consumed, [stakedTokenId])
  assert.ok(BigInt(coinsPaidOut) >= 10_000_000_000n)
  await refusesField(agent.buildWithdraw({ stakedTokenId }), 'stakedTokenId', /is not the id of/)
})
