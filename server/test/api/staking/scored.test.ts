import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADMIN, clientOfTier, clientsOfTiers } from '../../support/builder-agent.ts'
import { openTestApp } from '../../support/test-app.ts'

/** An id that no validator has. */
const NOBODY = `0x${'0'.repeat(64)}`

test('200: each tier sees its number of the best validators, in the order of their scores', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const seen = new Map<string, string[]>()
  const tiers = ['free', 'builder', 'pro', 'enterprise'] as const
  const clients = await clientsOfTiers(app, tiers)
  for (const [at, tier] of tiers.entries()) {
    const answer = await clients[at]?.scoredValidators()
    const scores = answer?.validators.map(({ score }) => score) ?? []
    assert.deepEqual(
      scores,
      scores.toSorted((a, b) => b - a),
    )
    assert.equal(answer?.tierDetail, tier)
    assert.deepEqual(answer?.unknown, [])
    seen.set(tier, answer?.validators.map(({ validatorId }) => validatorId) ?? [])
  }
  assert.equal(seen.get('free')?.length, 10)
  assert.equal(seen.get('builder')?.length, 25)
  assert(Number(seen.get('pro')?.length) > 50)
  assert.deepEqual(seen.get('enterprise'), seen.get('pro'))
  assert.deepEqual(seen.get('free'), seen.get('pro')?.slice(0, 10))
  assert.deepEqual(seen.get('builder'), seen.get('pro')?.slice(0, 25))
})

test('200: the score is the weighted sum of its components', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'pro')
  const { weights, scoreVersion } = await client.scoring()
  const answer = await client.scoredValidators()
  assert.equal(answer.scoreVersion, scoreVersion)
  for (const { score, components, ineligible } of answer.validators) {
    const { apy = 0, uptime = 0, commission = 0 } = weights
    const sum = apy * components.apy + uptime * components.uptime + commission * components.commission
    assert(Math.abs(score - 100 * components.gate * sum) <= 0.06)
    assert.equal(components.gate === 0, ineligible.length > 0)
  }
})

test('200: validators that are named are given to every tier; unknown ids are listed', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'free')
  const { data } = await client.validators()
  const candidate = data.find(({ status }) => status === 'candidate')?.id ?? ''
  const [first] = data
  const answer = await client.scoredValidators({
    validators: `${candidate},${NOBODY}, ${first?.id},${candidate}`,
  })
  assert.deepEqual(
    answer.validators.map(({ validatorId }) => validatorId),
    [candidate, first?.id],
  )
  assert.deepEqual(answer.unknown, [NOBODY])
  assert.equal(answer.validators[0]?.score, 0)
  assert(answer.validators[0]?.ineligible.length)
})

test('400: an empty list, or one that is too long', async () => {
  await using app = await openTestApp({ env: ADMIN })
  const client = await clientOfTier(app, 'builder')
  for (const validators of ['', ',', ' , ']) {
    await assert.rejects(client.scoredValidators({ validators }), { code: 'invalid_input', status: 400 })
  }
  const ids = (count: number) => Array.from({ length: count }, (_, at) => `0x${at}`).join(',')
  await client.scoredValidators({ validators: ids(100) })
  await assert.rejects(client.scoredValidators({ validators: ids(101) }), { code: 'invalid_input' })
})
