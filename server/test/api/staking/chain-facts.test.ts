import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NETWORKS, type SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { EPOCH, sampleNetwork, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { WORLDS } from '../../sui/opened-chain.ts'
import { openChainApp, openSandboxApp } from '../../support/chain-app.ts'

/** The facts that each kind of network has about the same validator. */
const FACTS = {
  ika: { votingPower: null, shards: null, reportedBy: 1, atRiskEpochs: null },
  walrus: { votingPower: null, shards: 2, reportedBy: null, atRiskEpochs: null },
  sui: { votingPower: 2_500, shards: null, reportedBy: 1, atRiskEpochs: 0 },
} as const

const kindOf = (name: string) => (name.split('-')[0] ?? '') as keyof typeof FACTS

for (const network of Object.keys(NETWORKS) as SuiNetworkName[]) {
  const kind = kindOf(network)

  test(`200: a validator with all facts of the chain (${network})`, async () => {
    await using app = await openChainApp(network)
    const { agent } = app
    const lapsed = await agent.validator({ id: VALIDATORS.lapsed })
    const { votingPower, shards, reportedBy, atRiskEpochs } = lapsed
    assert.deepEqual({ votingPower, shards, reportedBy, atRiskEpochs }, FACTS[kind])
    assert.equal(lapsed.description, 'This is Lapsed.')
    assert.equal(lapsed.imageUrl, 'https://validator.example/logo.png')
    assert.equal(lapsed.projectUrl, null, 'a script is no address')
    assert.deepEqual(
      lapsed.votes,
      kind === 'walrus' ? { storagePrice: '1', writePrice: '2', nodeCapacity: '3' } : null,
    )
    const { data } = await agent.validators()
    const steady = data.find(({ id }) => id === VALIDATORS.steady)
    assert.equal(steady?.nextStake, '1357000000000')
    assert.equal(steady?.nextCommissionEpoch, kind === 'sui' ? EPOCH + 1 : EPOCH + 2)
    const greedy = data.find(({ id }) => id === VALIDATORS.greedy)
    assert.equal(greedy?.atRiskEpochs, kind === 'sui' ? 3 : null)
  })

  test(`200: the ids of the network itself, and transactions for it (${network})`, async () => {
    await using app = await openChainApp(network)
    const metadata = await app.agent.metadata()
    assert.equal(metadata.systemObjectId, NETWORKS[network].systemObjectId)
    assert.equal(metadata.coinType, NETWORKS[network].coinType)
    assert.equal(metadata.network, network.endsWith('-testnet') ? 'testnet' : 'mainnet')
    const { commands } = await app.agent.buildStake({
      validatorId: VALIDATORS.steady,
      amount: '10000000000',
    })
    assert(JSON.stringify(commands).includes(NETWORKS[network].systemObjectId))
    assert.equal((await app.agent.health()).network, network)
  })
}

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: the members of the next committee are given once it is selected (${network})`, async () => {
    for (const nextCommitteeSelected of [false, true]) {
      await using app = await openChainApp(network, [
        WORLDS[network](sampleNetwork({ nextCommitteeSelected })),
      ])
      const { data } = await app.agent.validators()
      const seatOf = (id: string) => data.find((one) => one.id === id)?.inNextCommittee
      const seats = [seatOf(VALIDATORS.steady), seatOf(VALIDATORS.greedy)]
      const hasSeats = nextCommitteeSelected && network !== 'sui'
      assert.deepEqual(seats, hasSeats ? [true, false] : [null, null])
      const one = await app.agent.validator({ id: VALIDATORS.steady })
      assert.equal(one.inNextCommittee, seats[0])
    }
  })
}

test('a node of the mainnet is not accepted for the testnet', async () => {
  const { sampleWorld } = await import('../../sui/opened-chain.ts')
  await using app = await openChainApp('ika-testnet', [sampleWorld('ika')])
  await assert.rejects(app.agent.validators(), { code: 'store_not_ready' })
})

test('200: the changes of a commission, the announced and the highest one', async () => {
  await using app = await openChainApp('ika')
  const steady = await app.agent.validatorCommissionHistory({ id: VALIDATORS.steady })
  assert.deepEqual(
    steady.data.map(({ epoch, commissionRate, source }) => [epoch, commissionRate, source]),
    [[10, 0.05, 'assumed']],
  )
  assert.deepEqual(steady.assumedEpochs, [{ from: 10, to: EPOCH - 1 }])
  assert.deepEqual(steady.announced, { commissionRate: 0.07, epoch: EPOCH + 2 })
  assert.deepEqual([steady.commissionRate, steady.highest, steady.firstEpoch], [0.05, 0.07, 10])
  const candidate = await app.agent.validatorCommissionHistory({ id: VALIDATORS.candidate })
  assert.deepEqual([candidate.data.length, candidate.announced, candidate.firstEpoch], [0, null, null])
  await assert.rejects(app.agent.validatorCommissionHistory({ id: '0x1' }), { code: 'not_found' })
})

test('200: in the sandbox every change of commission is in the same epoch as in the APY history', async () => {
  await using app = await openSandboxApp()
  const { agent } = app
  const { data } = await agent.validators()
  let changes = 0
  for (const { id } of data) {
    const history = await agent.validatorCommissionHistory({ id })
    const points = await agent.validatorApyHistory({ id, period: 'all', limit: 365 })
    for (const { epoch, commissionRate } of points.data) {
      const inForce = history.data.findLast((change) => change.epoch <= epoch)
      assert.equal(inForce?.commissionRate, commissionRate)
    }
    changes += Math.max(0, history.data.length - 1)
    assert(history.data.every(({ source }) => source === 'read'))
    assert.deepEqual(history.assumedEpochs, [])
  }
  assert(changes > 0, 'somebody changed its commission')
})
