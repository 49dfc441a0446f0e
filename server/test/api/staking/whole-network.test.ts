import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ADMIN, clientOfTier } from '../../support/builder-agent.ts'
import { openTestApp, type TestApp } from '../../support/test-app.ts'

let app: TestApp
before(async () => {
  app = await openTestApp({ env: ADMIN })
})
after(() => app[Symbol.asyncDispose]())

test('200: the totals of the network agree with the list and with the metadata of agents', async () => {
  const network = await app.client().network()
  const { data } = await app.client().validators()
  const earning = data.filter(({ status }) => status === 'active' || status === 'leaving')
  assert.equal(
    BigInt(network.totalStake),
    earning.reduce((sum, { totalStake }) => sum + BigInt(totalStake), 0n),
  )
  const metadata = await (await clientOfTier(app, 'free')).metadata()
  for (const name of ['symbol', 'decimals', 'minStakeAmount', 'minValidatorJoiningStake'] as const) {
    assert.equal(network[name], metadata[name])
  }
})

test('200: histories of all validators are those of each one', async () => {
  const { epochs, data, epoch } = await app.client().validatorHistories({ epochs: 12 })
  assert.deepEqual(
    epochs,
    Array.from({ length: 12 }, (_, index) => epoch - 12 + index),
  )
  const { data: validators } = await app.client().validators()
  assert.deepEqual(
    data.map(({ id }) => id),
    validators.map(({ id }) => id),
  )
  for (const { id, apy, commissionRate } of data.slice(0, 10)) {
    const own = await app.client().validatorApyHistory({ id, period: 'all', limit: 100 })
    const byEpoch = new Map(own.data.map((point) => [point.epoch, point]))
    assert.deepEqual(
      apy,
      epochs.map((each) => byEpoch.get(each)?.apy ?? null),
    )
    assert.deepEqual(
      commissionRate,
      epochs.map((each) => byEpoch.get(each)?.commissionRate ?? null),
    )
  }
})

test('200: the components of a public score add up to it', async () => {
  const { weights } = await app.client().scoring()
  const { data } = await app.client().validators()
  for (const { score, components } of data) {
    if (score === null || components === null) {
      assert.equal(score, components)
      continue
    }
    const { apy, uptime, commission, gate } = components
    const sum =
      (weights['apy'] ?? 0) * apy +
      (weights['uptime'] ?? 0) * uptime +
      (weights['commission'] ?? 0) * commission
    assert(Math.abs(100 * gate * sum - score) <= 0.0501)
  }
})
