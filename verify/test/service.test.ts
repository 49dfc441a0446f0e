import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../../server/test/support/test-app.ts'
import { verifyTransaction } from '../src/index.ts'

const SENDER = `0x${'11'.repeat(32)}`
const AMOUNT = '5000000000'

test('every transaction of a running service, from the stake to the payout, is accepted for its wish', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'careful' })
  const agent = app.client({ apiKey: data.apiKey })
  const about = { network: 'sandbox', sender: SENDER }
  const [validator] = (await agent.scoredValidators()).validators
  assert(validator)
  const { validatorId } = validator
  const isWished = (built: { readonly transaction?: unknown }, wish: object) =>
    assert.deepEqual(verifyTransaction(built.transaction, { ...about, ...wish }).failures, [])

  const stake = await agent.buildStake({ validatorId, amount: AMOUNT, sender: SENDER })
  isWished(stake, { action: 'stake', validator: validatorId, amount: AMOUNT })
  assert(
    !verifyTransaction(stake.transaction, { ...about, action: 'stake', validator: SENDER, amount: AMOUNT })
      .ok,
  )
  await agent.sandboxExecute({ sender: SENDER, commands: stake.commands })
  await agent.sandboxAdvance({ epochs: 2 })

  const [position] = (await agent.positions({ owner: SENDER })).positions
  assert(position)
  const { stakedTokenId } = position
  const [other] = (await agent.scoredValidators()).validators.slice(1)
  const items = [
    { action: 'stake', validatorId, amount: AMOUNT },
    { action: 'unstake', stakedTokenId, amount: '2000000000' },
    { action: 'stake', validatorId: other?.validatorId ?? '', amount: '7000000000' },
  ] as const
  isWished(await agent.buildBatch({ items, sender: SENDER }), { items })
  const part = await agent.buildUnstake({ stakedTokenId, amount: '2000000000', sender: SENDER })
  isWished(part, { action: 'unstake', stakedTokenId, amount: '2000000000' })
  const whole = await agent.buildUnstake({ stakedTokenId, sender: SENDER })
  isWished(whole, { action: 'unstake', stakedTokenId })
  await agent.sandboxExecute({ sender: SENDER, commands: whole.commands })
  await agent.sandboxAdvance({ epochs: 2 })
  const paid = await agent.buildWithdraw({ stakedTokenId, sender: SENDER })
  isWished(paid, { action: 'withdraw', stakedTokenId })
})
