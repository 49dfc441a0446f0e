import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSandboxApp } from '../../support/chain-app.ts'
import { ME, stakeInSandbox, TEN } from '../../support/holdings.ts'
import { refusalOf, refusesField } from '../refused.ts'

/** The same id in the spelling of other tools. */
const respell = (id: string): string => `0X${id.slice(2).replace(/^0+/, '').toUpperCase()}`
/** Texts that look like the id, but are no ids. */
const mangle = (id: string): readonly string[] => [
  ` ${id}`,
  `${id} `,
  `${id}0`,
  id.slice(2),
  `0x${'g'.repeat(64)}`,
  '0x',
  'Meridian',
]

const AMOUNT = '9000000000000'

test('400: an exclusion in any spelling is kept, and one that is no id or no validator is refused', async () => {
  await using app = await openSandboxApp()
  const { allocations } = await app.agent.allocate({ amount: AMOUNT, maxValidators: 3 })
  const best = allocations[0]?.validatorId ?? ''
  const without = await app.agent.allocate({ amount: AMOUNT, maxValidators: 3, exclude: [respell(best)] })
  assert(without.allocations.every(({ validatorId }) => validatorId !== best))
  for (const wrong of mangle(best)) {
    const call = app.agent.allocate({ amount: AMOUNT, exclude: [best, wrong] })
    await refusesField(call, 'exclude[1]', /^must be a chain id/)
  }
  const { details, status } = await refusalOf(app.agent.allocate({ amount: AMOUNT, exclude: [best, ME] }))
  assert.equal(status, 400)
  assert.deepEqual(
    details.map(({ field, message }) => [field, message.includes(ME)]),
    [['exclude', true]],
  )
})

test('400: a plan never moves stake to an excluded validator, and refuses one it does not know', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { validators } = await agent.scoredValidators()
  const weakest = validators.at(-1)?.validatorId ?? ''
  const { stakedTokenId } = await stakeInSandbox(agent, weakest)
  const positions = [{ stakedTokenId, validatorId: weakest, principal: TEN }]
  const { allocations } = await agent.allocate({ amount: TEN, maxValidators: 1 })
  const best = allocations[0]?.validatorId ?? ''
  const plan = await agent.planRebalance({ positions, exclude: [respell(best)] })
  assert(plan.steps.every(({ action, validator }) => action !== 'stake' || validator !== best))
  const { details, status } = await refusalOf(agent.planRebalance({ positions, exclude: [ME] }))
  assert.equal(status, 400)
  assert.deepEqual(
    details.map(({ field, message }) => [field, message.includes(ME)]),
    [['exclude', true]],
  )
})

test('200: every field that takes a chain id takes it in any spelling', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { data } = await agent.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const { stakedTokenId } = await stakeInSandbox(agent, validatorId)
  const other = respell(validatorId)
  const sender = respell(ME)

  assert.equal((await agent.validator({ id: other })).id, validatorId)
  assert.deepEqual(
    await agent.validatorApyHistory({ id: other }),
    await agent.validatorApyHistory({ id: validatorId }),
  )
  assert.equal((await agent.delegators({ validatorId: other })).validatorId, validatorId)
  const scored = await agent.scoredValidators({ validators: `${other}, ${validatorId},0x1` })
  assert.deepEqual(
    scored.validators.map((item) => item.validatorId),
    [validatorId],
  )
  assert.deepEqual(scored.unknown, [`0x${'1'.padStart(64, '0')}`])
  assert.equal((await agent.positions({ owner: sender })).positions[0]?.stakedTokenId, stakedTokenId)
  const position = { stakedTokenId: respell(stakedTokenId), validatorId: other, principal: TEN }
  const plan = await agent.planRebalance({ positions: [position] })
  assert.equal(plan.currentPositions[0]?.validator, validatorId)
  const built = await agent.buildStake({ validatorId: other, amount: TEN, sender })
  assert.deepEqual(built.commands, (await agent.buildStake({ validatorId, amount: TEN })).commands)
  const unstaked = await agent.buildUnstake({ stakedTokenId: respell(stakedTokenId), sender })
  assert.deepEqual(unstaked.commands, (await agent.buildUnstake({ stakedTokenId })).commands)
})

test('200: the sandbox executes commands whose ids have another spelling', async () => {
  await using app = await openSandboxApp()
  const { data } = await app.agent.validators()
  const validatorId = data.find(({ status }) => status === 'active')?.id ?? ''
  const { commands } = await app.agent.buildStake({ validatorId, amount: TEN })
  const spelled = JSON.parse(
    JSON.stringify(commands, (key, value) => (/^(?:objectId|value)$/.test(key) ? respell(value) : value)),
  )
  const { created } = await app.agent.sandboxExecute({ sender: respell(ME), commands: spelled })
  assert.equal(created[0]?.validatorId, validatorId)
  assert.equal((await app.agent.positions({ owner: ME })).positions.length, 1)
})

test('400: a text that is no chain id is refused with the name of its field, in every field', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const position = { stakedTokenId: ME, validatorId: ME, principal: TEN }
  for (const wrong of mangle(ME)) {
    const no = /^must be a chain id/
    await refusesField(agent.validator({ id: wrong }), 'id', no)
    await refusesField(agent.validatorApyHistory({ id: wrong }), 'id', no)
    await refusesField(agent.delegators({ validatorId: wrong }), 'validatorId', no)
    await refusesField(agent.positions({ owner: wrong }), 'owner', no)
    await refusesField(agent.buildStake({ validatorId: wrong, amount: TEN }), 'validatorId', no)
    await refusesField(agent.buildStake({ validatorId: ME, amount: TEN, sender: wrong }), 'sender', no)
    await refusesField(agent.buildUnstake({ stakedTokenId: wrong }), 'stakedTokenId', no)
    await refusesField(agent.buildWithdraw({ stakedTokenId: wrong }), 'stakedTokenId', no)
    const positions = [position, { ...position, stakedTokenId: wrong }]
    await refusesField(agent.planRebalance({ positions }), 'positions[1].stakedTokenId', no)
  }
  await refusesField(
    agent.scoredValidators({ validators: `${ME},nobody` }),
    'validators[1]',
    /^must be a chain id/,
  )
})
