import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Client, Reply } from '@stakewright/client'
import { IKA_JOINING_STAKE } from '../../fake-full-node/ika-world.ts'
import { EPOCH, OWNER, sampleNetwork, TOKENS, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { idOf } from '../../fake-full-node/world.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openAppOn, openChainApp } from '../../support/chain-app.ts'
import { holdingsOn, ME } from '../../support/holdings.ts'
import { refusesField } from '../refused.ts'

const PART = '2000000000'
const selected = sampleNetwork({ nextCommitteeSelected: true })

const outcome = ({ action, availableAtEpoch, requiresEpochWait }: Reply<'buildUnstake'>) => ({
  action,
  availableAtEpoch,
  requiresEpochWait,
})
const requestFor = (epoch: number) => ({
  action: 'unstake',
  availableAtEpoch: epoch,
  requiresEpochWait: true,
})
const paidIn = (epoch: number) => ({ action: 'withdraw', availableAtEpoch: epoch, requiresEpochWait: false })
const functionsOf = ({ commands }: Reply<'buildUnstake'>) =>
  commands.map((command) => (command.kind === 'moveCall' ? command.target.split('::').at(-1) : command.kind))

for (const network of ['ika', 'walrus'] as const) {
  describe(`${network}: unstake`, () => {
    test('200: before the next committee is selected, active stake is free in the next epoch', async () => {
      await using app = await openChainApp(network)
      const built = await app.agent.buildUnstake({ stakedTokenId: TOKENS.earning })
      assert.deepEqual(outcome(built), requestFor(EPOCH + 1))
      assert.deepEqual(functionsOf(built), ['request_withdraw_stake'])
      assert.match(built.summary, /^Asks for 100 \w+ back; it earns until epoch 41 and can be withdrawn/)
    })

    test('200: once its validator is selected again, stake is free an epoch later; so is stake about to be active', async () => {
      await using app = await openChainApp(network, [WORLDS[network](selected)])
      const unstake = (stakedTokenId: string) => app.agent.buildUnstake({ stakedTokenId })
      assert.deepEqual(outcome(await unstake(TOKENS.earning)), requestFor(EPOCH + 2))
      assert.deepEqual(outcome(await unstake(TOKENS.preActive)), requestFor(EPOCH + 2))
    })

    test('200: a part is split off first, and the main call is the request', async () => {
      await using app = await openChainApp(network)
      const built = await app.agent.buildUnstake({ stakedTokenId: TOKENS.earning, amount: PART })
      assert.deepEqual(functionsOf(built), ['split', 'request_withdraw_stake', 'transferToSender'])
      assert.match(built.target, /::request_withdraw_stake$/)
      assert.deepEqual(built.arguments[1], { kind: 'result', of: 'part' })
      assert.match(built.summary, /^Asks for 2 /)
    })

    test('200: stake that need not wait is withdrawn at once', async () => {
      await using app = await openChainApp(network)
      const early = await app.agent.buildUnstake({ stakedTokenId: TOKENS.preActive })
      assert.deepEqual(outcome(early), paidIn(EPOCH))
      assert.deepEqual(functionsOf(early), ['withdraw_stake', 'transferToSender'])
      assert.match(early.summary, /back at once: the stake is not active yet and has earned nothing/)
      assert.equal(early.availableAt, new Date(app.clock.now()).toISOString())

      const left = await app.agent.buildUnstake({ stakedTokenId: TOKENS.ofLeft, amount: PART })
      assert.deepEqual(outcome(left), paidIn(EPOCH))
      assert.deepEqual(functionsOf(left), ['split', 'withdraw_stake', 'transferToSender'])
      assert.match(left.summary, /^Pays out 2 \w+ and its rewards at once\.$/)
    })

    test('200: a validator that was removed after the selection earns for one epoch less than it works', async () => {
      const lateFor = ({ id }: { readonly id: string }) =>
        id === VALIDATORS.steady ? { phase: 'withdrawing' as const, lastEpoch: EPOCH + 1 } : {}
      const validators = selected.validators.map((one) => ({ ...one, ...lateFor(one) }))
      await using app = await openChainApp(network, [WORLDS[network]({ ...selected, validators })])
      const built = await app.agent.buildUnstake({ stakedTokenId: TOKENS.earning })
      assert.deepEqual(outcome(built), requestFor(EPOCH + 2))
      assert.match(built.summary, /it earns until epoch 41 and can be withdrawn from epoch 42 on\.$/)
      const begun = await app.agent.buildUnstake({ stakedTokenId: TOKENS.preActive })
      assert.match(begun.summary, /it earns nothing and can be withdrawn from epoch 42 on\.$/)
    })

    test('400: a token cannot be unstaked twice: the refusal says when it can be withdrawn', async () => {
      const waiting = { ...token(idOf(0x205)), withdrawEpoch: EPOCH + 1 }
      const { tokens } = selected
      await using app = await openChainApp(network, [
        WORLDS[network]({ ...selected, tokens: [...tokens, waiting] }),
      ])
      const unstake = (stakedTokenId: string) => app.agent.buildUnstake({ stakedTokenId })
      await refusesField(
        unstake(waiting.id),
        'stakedTokenId',
        /before; use .*withdraw from epoch 41 on, due at 2026-09-02T00:00:00\.000Z; now is epoch 40/,
      )
      await refusesField(unstake(TOKENS.withdrawing), 'stakedTokenId', /is due; use .*tx\/withdraw/)
    })
  })
}

test('200: sui: unstaking is withdrawing, whatever the state', async () => {
  await using app = await openChainApp('sui')
  const unstake = (stakedTokenId: string, amount?: string) =>
    app.agent.buildUnstake({ stakedTokenId, ...(amount && { amount }) })
  for (const id of Object.values(TOKENS)) assert.deepEqual(outcome(await unstake(id)), paidIn(EPOCH))
  const whole = await unstake(TOKENS.earning)
  assert.deepEqual(functionsOf(whole), ['request_withdraw_stake'])
  assert.match(whole.summary, /at once; what this epoch would have earned is given up\.$/)
  assert.deepEqual(functionsOf(await unstake(TOKENS.earning, PART)), ['split', 'request_withdraw_stake'])
  assert.match((await unstake(TOKENS.preActive)).summary, /has earned nothing/)
})

test('400: sui: stake with a validator about to join waits for the epoch and stays out of plans; a candidate pays out', async () => {
  const network = sampleNetwork()
  const [preActive] = network.tokens.filter(({ id }) => id === TOKENS.preActive)
  assert(preActive)
  const [ofJoining, ofCandidate] = [idOf(0x211), idOf(0x212)]
  const tokens = [
    { ...preActive, id: ofJoining, validatorId: VALIDATORS.joining },
    { ...preActive, id: ofCandidate, validatorId: VALIDATORS.candidate },
  ]
  await using app = await openChainApp('sui', [WORLDS.sui({ ...network, tokens })])
  const until = /about to join.*from epoch 41 on, due at 2026-09-02T00:00:00\.000Z; now is epoch 40/
  await refusesField(app.agent.buildUnstake({ stakedTokenId: ofJoining }), 'stakedTokenId', until)
  await refusesField(app.agent.buildWithdraw({ stakedTokenId: ofJoining }), 'stakedTokenId', until)
  const back = await app.agent.buildUnstake({ stakedTokenId: ofCandidate })
  assert.deepEqual(outcome(back), paidIn(EPOCH))
  const { positions } = await app.agent.positions({ owner: OWNER })
  assert.deepEqual(
    new Map(positions.map(({ stakedTokenId, next, availableAt }) => [stakedTokenId, [next, availableAt]])),
    new Map([
      [ofJoining, ['wait', '2026-09-02T00:00:00.000Z']],
      [ofCandidate, ['withdraw', null]],
    ]),
  )
  const stated = {
    stakedTokenId: ofJoining,
    validatorId: VALIDATORS.steady,
    principal: String(preActive.principal),
  }
  for (const held of [{ owner: OWNER }, { positions: [stated] }]) {
    const plan = await app.agent.planRebalance({ ...held, riskAversion: 0 })
    assert(
      plan.assumptions.some((text) =>
        text.startsWith(`${ofJoining} is left out: its validator joins in epoch 41`),
      ),
    )
    assert(!JSON.stringify([plan.steps, plan.calls]).includes(ofJoining))
  }
})

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`400: ${network}: refusals name the field and the fix`, async () => {
    await using app = await openAppOn(network)
    const { earning } = await holdingsOn(network, app.agent)
    const principal = await principalOf(app.agent, earning)
    const unstake = (more: object) => app.agent.buildUnstake({ ...earning, ...more })
    await refusesField(unstake({ stakedTokenId: ME }), 'stakedTokenId', /positions lists them/)
    await refusesField(unstake({ stakedTokenId: '0x1' }), 'stakedTokenId', /is not the id of a staked token/)
    await refusesField(unstake({ amount: String(principal + 1n) }), 'amount', /at most the principal, \d+;/)
    await refusesField(unstake({ amount: '999999999' }), 'amount', /both parts at 1000000000 or more/)
    const rest = String(principal - 999_999_999n)
    await refusesField(unstake({ amount: rest }), 'amount', /leave it out to unstake everything/)
    await refusesField(
      unstake({ sender: VALIDATORS.steady }),
      'sender',
      /send 0x[0-9a-f]{64}: only that address can sign for it/,
    )
    const whole = await unstake({ amount: String(principal) })
    assert.deepEqual(whole.commands, (await unstake({})).commands, 'all of it needs no split')
  })
}

describe('ika: an unstake that takes its validator out of the active set', () => {
  /** The validator of the earning token, 50 tokens above the joining stake. */
  const { validators } = sampleNetwork()
  const nearLimit = validators.map((validator) =>
    validator.id === VALIDATORS.steady
      ? {
          ...validator,
          balance: IKA_JOINING_STAKE + 50_000_000_000n,
          pendingStake: [],
          preActiveWithdrawals: [],
        }
      : validator,
  )
  const open = (changes: Parameters<typeof sampleNetwork>[0]) =>
    openChainApp('ika', [WORLDS.ika(sampleNetwork({ validators: nearLimit, ...changes }))])
  const unstake = (app: { readonly agent: Client }, amount: string) =>
    app.agent.buildUnstake({ stakedTokenId: TOKENS.earning, amount })

  test('400: while the set is at its smallest; the refusal gives the largest amount, which is built', async () => {
    await using app = await open({})
    await refusesField(
      unstake(app, '60000000000'),
      'amount',
      /out of the active set.* at its smallest already; unstake at most 50000000000, rewards included for now$/,
    )
    assert.deepEqual(outcome(await unstake(app, PART)), requestFor(EPOCH + 1))
  })

  test('400: stake that is not active yet counts, too, by unstake and by withdraw', async () => {
    const tokens = [{ ...token(idOf(0x206)), principal: 60_000_000_000n, activationEpoch: EPOCH + 1 }]
    await using app = await open({ tokens })
    const stakedTokenId = idOf(0x206)
    const refused = /at its smallest already; unstake at most 50000000000/
    await refusesField(app.agent.buildUnstake({ stakedTokenId }), 'amount', refused)
    await refusesField(app.agent.buildWithdraw({ stakedTokenId }), 'stakedTokenId', refused)
  })

  test('400: when the set has changed as often as an epoch allows; the refusal names the next epoch', async () => {
    const roomy = nearLimit.map((one) => (one.id === VALIDATORS.dropped ? { ...one, waiting: true } : one))
    const setChanges = Array.from({ length: 10 }, (_, at) => idOf(0x700 + at))
    await using app = await open({ validators: roomy, setChanges })
    await refusesField(
      unstake(app, '60000000000'),
      'amount',
      /changed as often as an epoch allows; .* or try again from epoch 41 on, due at 2026-09-02/,
    )
    assert.deepEqual(outcome(await unstake(app, PART)), requestFor(EPOCH + 1))
    await using next = await open({ validators: roomy, setChanges: setChanges.slice(1) })
    assert.deepEqual(outcome(await unstake(next, '60000000000')), requestFor(EPOCH + 1))
  })
})

const token = (id: string) => ({
  id,
  owner: OWNER,
  validatorId: VALIDATORS.steady,
  principal: 5_000_000_000n,
  activationEpoch: 30,
})

async function principalOf(agent: Client, held: { readonly stakedTokenId: string; readonly sender: string }) {
  const { positions } = await agent.positions({ owner: held.sender })
  return BigInt(positions.find(({ stakedTokenId }) => stakedTokenId === held.stakedTokenId)?.principal ?? '0')
}
