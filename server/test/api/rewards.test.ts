import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EPOCH, OWNER, STRANGER, sampleNetwork } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'
import { WORLDS } from '../sui/opened-chain.ts'
import { openChainApp, openSandboxApp } from '../support/chain-app.ts'

const TOKEN = 1_000_000_000n
const ME = `0x${'a1'.repeat(32)}`

/** The sample pools gain ten tokens per thousand shares and epoch, from epoch 10 on. */
const worthAt = (shares: bigint, epoch: number) => (shares * (1_000n + 10n * BigInt(epoch - 10))) / 1_000n

/** The reward of a stake in an epoch, which is contained in the exchange rate of the next epoch. */
function earnedIn(principal: bigint, activation: number, epoch: number): bigint {
  const shares = (principal * 1_000n) / (1_000n + 10n * BigInt(activation - 10))
  const gain = (at: number) => {
    const worth = worthAt(shares, at)
    return worth > principal ? worth - principal : 0n
  }
  return gain(epoch + 1) - gain(epoch)
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: rewards per epoch are those of the exchange rates, to the unit`, async () => {
    await using app = await openChainApp(network)
    const { positions } = await app.agent.positions({ owner: OWNER })
    const whole = await app.agent.rewards({ owner: OWNER })
    const sum = whole.data.reduce((all, { rewards }) => all + BigInt(rewards), 0n)
    assert.equal(sum + BigInt(whole.earlier), BigInt(whole.total))
    assert.equal(
      BigInt(whole.total),
      positions.reduce((all, { rewards }) => all + BigInt(rewards), 0n),
    )
    const in25 = whole.data.find(({ epoch }) => epoch === 25)
    const ofLeft = network === 'sui' ? 0n : earnedIn(10n * TOKEN, 15, 25)
    assert.equal(BigInt(in25?.rewards ?? 0), earnedIn(100n * TOKEN, 20, 25) + ofLeft)
    const claimable = positions.filter(({ next }) => next === 'withdraw')
    assert.equal(whole.claimableNow.tokens, claimable.length)
    const sumOf = (part: 'principal' | 'rewards') =>
      claimable.reduce((all, position) => all + BigInt(position[part]), 0n)
    assert.equal(BigInt(whole.claimableNow.principal), sumOf('principal'))
    assert.equal(BigInt(whole.claimableNow.rewards), sumOf('rewards'))
    assert(sumOf('rewards') > 0n)

    const last = await app.agent.rewards({ owner: OWNER, epochs: 2 })
    assert.deepEqual(last.data, whole.data.slice(-2))
    assert.equal(last.total, whole.total)
    assert.equal(last.data.at(-1)?.epoch, EPOCH - 1)
  })
}

/** A network so old that its history is not read from the beginning. */
function oldNetwork() {
  const sample = sampleNetwork()
  const [steady] = sample.validators
  assert(steady)
  const rates = Array.from({ length: OLD_EPOCH - 9 }, (_, step) => ({
    epoch: 10 + step,
    tokens: worthAt(1_000n * TOKEN, 10 + step),
    shares: 1_000n * TOKEN,
  }))
  const balance = worthAt(1_000n * TOKEN, OLD_EPOCH)
  const pool = { balance, rates, rewardsPool: balance, pendingStake: [], preActiveWithdrawals: [] }
  const staked = { owner: OWNER, validatorId: steady.id, principal: 100n * TOKEN }
  return sampleNetwork({
    epoch: OLD_EPOCH,
    validators: [{ ...steady, ...pool, pendingCommission: [] }],
    tokens: OLD_STAKES.map((activationEpoch, at) => ({ ...staked, id: idOf(0x300 + at), activationEpoch })),
    reported: [],
  })
}

const OLD_EPOCH = 200
/** Some begin around the oldest epoch that is stored. */
const OLD_STAKES = [13, 50, ...Array.from({ length: 40 }, (_, at) => 90 + at), 150]

for (const network of ['ika', 'walrus', 'sui'] as const)
  test(`200: ${network}: stakes older than the stored history are in each of its epochs`, async () => {
    await using app = await openChainApp(network, [WORLDS[network](oldNetwork())])
    const { data, earlier, total, historyComplete } = await app.agent.rewards({ owner: OWNER })
    assert(historyComplete && data.length >= 50)
    for (const { epoch, rewards } of data) {
      const active = OLD_STAKES.filter((activation) => activation <= epoch)
      const earned = active.map((activation) => earnedIn(100n * TOKEN, activation, epoch))
      assert.equal(BigInt(rewards), sum(earned), `epoch ${epoch}`)
    }
    assert.equal(sum(data.map(({ rewards }) => BigInt(rewards))) + BigInt(earlier), BigInt(total))
    const all = OLD_STAKES.map((activation) => {
      const shares = (100n * TOKEN * 1_000n) / (1_000n + 10n * BigInt(activation - 10))
      return worthAt(shares, OLD_EPOCH) - 100n * TOKEN
    })
    assert.equal(BigInt(total), sum(all))
  })

const sum = (amounts: readonly bigint[]) => amounts.reduce((all, one) => all + one, 0n)

test('200: sandbox: each epoch brings what the position gained in it', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const [validator] = (await agent.validators({ status: 'active' })).data
  assert(validator)
  const amount = '7000000000000'
  const { commands } = await agent.buildStake({ validatorId: validator.id, amount, sender: ME })
  await agent.sandboxExecute({ sender: ME, commands })
  const gained = new Map<number, bigint>()
  let before = 0n
  for (let step = 0; step < 5; step += 1) {
    const { epoch } = await agent.sandboxAdvance({ epochs: 1 })
    const [position] = (await agent.positions({ owner: ME })).positions
    const rewards = BigInt(position?.rewards ?? 0)
    gained.set(epoch - 1, rewards - before)
    before = rewards
  }
  const { data, total, earlier, claimableNow } = await agent.rewards({ owner: ME })
  assert(data.length >= 4 && before > 0n)
  assert.deepEqual([total, earlier], [String(before), '0'])
  for (const { epoch, rewards } of data) assert.equal(rewards, String(gained.get(epoch)), `epoch ${epoch}`)
  assert.deepEqual(claimableNow, { tokens: 0, principal: '0', rewards: '0' })
})

test('200: an address without stake has no rewards', async () => {
  await using app = await openChainApp('ika')
  const { data, total, earlier } = await app.agent.rewards({ owner: STRANGER })
  assert.deepEqual({ data, total, earlier }, { data: [], total: '0', earlier: '0' })
})
