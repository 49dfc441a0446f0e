import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAppOn, openChainApp } from '../../support/chain-app.ts'
import { holdingsOn } from '../../support/holdings.ts'
import { openTestApp } from '../../support/test-app.ts'

const PATH = '/api/v1/staking/validators'

test('200: a page of five validators instead of all of them', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const whole = await client.validators()
  assert.equal('total' in whole || 'nextCursor' in whole, false)
  const best = await client.validators({ sort: 'score', limit: 5, view: 'compact' })
  assert.equal(best.total, whole.data.length)
  assert.notEqual(best.hash, whole.hash)
  assert.deepEqual(Object.keys(best.data[0] ?? {}), [
    'id',
    'name',
    'status',
    'score',
    'apy',
    'commissionRate',
    'totalStake',
  ])
  const scores = whole.data.flatMap(({ score }) => score ?? []).toSorted((a, b) => b - a)
  assert.deepEqual(
    best.data.map(({ score }) => score),
    scores.slice(0, 5),
  )
  const second = await client.validators({ sort: 'score', limit: 5, cursor: best.nextCursor ?? '' })
  assert.deepEqual(
    second.data.map(({ score }) => score),
    scores.slice(5, 10),
  )
})

test('200: filters leave exactly the validators that pass', async () => {
  await using app = await openTestApp()
  const client = app.client()
  const { data } = await client.validators()
  const { data: passing } = await client.validators({
    minScore: 62.5,
    maxCommission: 0.075,
    status: 'active',
  })
  const expected = data.filter(
    ({ score, commissionRate, nextCommissionRate, status }) =>
      score !== null &&
      score >= 62.5 &&
      Math.max(commissionRate, nextCommissionRate) <= 0.075 &&
      status === 'active',
  )
  assert(passing.length > 0 && passing.length < data.length)
  assert.deepEqual(passing, expected)
  const one = data[7]
  assert(one)
  const found = await client.validators({ search: one.name.toUpperCase(), fields: 'id' })
  assert(found.data.some(({ id }) => id === one.id))
  assert.deepEqual(Object.keys(found.data[0] ?? {}), ['id'])
  assert.equal((await client.validators({ search: 'no such name' })).data.length, 0)
})

test('200: storage nodes are sorted by their shards in this or the next epoch; nodes without shards come last', async () => {
  await using app = await openChainApp('walrus')
  const { data } = await app.agent.validators()
  for (const sort of ['shards', 'nextShards'] as const) {
    const shown = await app.agent.validators({ sort, limit: 100 })
    const expected = data
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .toSorted((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1))
    assert(new Set(data.map((one) => one[sort])).size > 1, 'they have different numbers')
    assert.deepEqual(shown.data, expected)
  }
})

test('304: `hash` and ETag are those of the requested part of a list, not of another part', async () => {
  await using app = await openTestApp()
  const part = `${app.url}${PATH}?limit=5`
  const first = await fetch(part)
  const etag = first.headers.get('etag') ?? ''
  const { hash } = (await first.json()) as { readonly hash: string }
  assert.equal(etag, `"${hash}"`)
  assert.equal((await fetch(part, { headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await fetch(`${part}&hash=${hash}`)).status, 304)
  assert.equal((await fetch(`${app.url}${PATH}?hash=${hash}`)).status, 200)
})

test('400: a wrong parameter of a list is refused with the reason', async () => {
  await using app = await openTestApp()
  const refused = [
    ['limit=0', 'at least 1'],
    ['limit=2.5', 'whole number'],
    ['sort=colour', 'must be one of id, name'],
    ['fields=id,colour', 'name 2 is none of id, name'],
    ['fields=APY', 'name 1 may mean \\"apy\\"'],
    ['fields=,', 'at least one field'],
    ['minScore=1e2', 'must be a number'],
    ['maxCommission=1.5', 'at most 1'],
    ['cursor=x', 'nextCursor'],
    ['status=asleep', 'status'],
    ['max_commission=0.5', 'maxCommission'],
  ] as const
  for (const [query, problem] of refused) {
    const response = await fetch(`${app.url}${PATH}?${query}`)
    assert.equal(response.status, 400, query)
    assert((await response.text()).includes(problem), query)
  }
})

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: every list can be requested in part, and says when it changes (${network})`, async () => {
    await using app = await openAppOn(network)
    const { agent } = app
    const { data } = await agent.validators({ limit: 2 })
    const scored = await agent.scoredValidators({ limit: 2, sort: 'apy', fields: 'name,apy' })
    assert.deepEqual(Object.keys(scored.validators[0] ?? {}), ['name', 'apy'])
    const histories = await agent.validatorHistories({ limit: 1, view: 'compact' })
    assert.deepEqual(Object.keys(histories.data[0] ?? {}), ['id', 'apy'])
    const points = await agent.apyHistory({ limit: 3, view: 'compact' })
    assert.deepEqual(Object.keys(points.data[0] ?? {}), ['epoch', 'apy'])
    const { nextChangeAt } = await agent.epoch()
    const validatorId = data[0]?.id ?? ''
    const changes = await agent.validatorCommissionHistory({ id: validatorId, limit: 1, order: 'desc' })
    const { data: all } = await agent.validatorCommissionHistory({ id: validatorId })
    assert.deepEqual([changes.total, changes.data], [all.length, all.slice(-1)])
    assert.deepEqual(
      new Set([scored, histories, points, changes].map((one) => one.nextChangeAt)),
      new Set([nextChangeAt]),
    )
    assert.equal(data.length, 2)
    const { sender: owner } = (await holdingsOn(network, agent)).earning
    const { positions } = await agent.positions({ owner })
    const { total, ...first } = await agent.positions({ owner, limit: 1, sort: 'rewards', view: 'compact' })
    assert.equal(total, positions.length)
    const [most] = positions.map(({ rewards }) => BigInt(rewards)).sort((a, b) => Number(b - a))
    assert.equal(first.positions[0]?.rewards, String(most))
    const rewards = await agent.rewards({ owner, epochs: 2, view: 'compact' })
    assert.deepEqual(Object.keys(rewards.data[0] ?? {}), ['epoch', 'rewards'])
    const whole = await agent.validators()
    const { steps, currentPositions } = await agent.planRebalance({ owner })
    const moved = [...steps, ...currentPositions].map(({ validator, name }) => ({
      validatorId: validator,
      name,
    }))
    for (const { validatorId, name } of [...positions, ...moved]) {
      assert.equal(name, whole.data.find(({ id }) => id === validatorId)?.name ?? null)
    }
  })
}

test('200: an allocation and its explanation have the names of validators', async () => {
  await using app = await openAppOn('sandbox')
  const { data } = await app.agent.validators({ fields: 'id,name' })
  const names = new Map(data.map(({ id, name }) => [id, name]))
  const { allocations, explanation } = await app.agent.allocate({ amount: '9000000000000', explain: true })
  assert(explanation?.next)
  for (const { validatorId, name } of [...allocations, ...explanation.chosen, explanation.next]) {
    assert.equal(name, names.get(validatorId))
  }
})

test('200: scores have the same order with and without `sort`', async () => {
  await using app = await openAppOn('sandbox')
  const idsOf = ({ validators }: { readonly validators: readonly { readonly validatorId: string }[] }) =>
    validators.map(({ validatorId }) => validatorId)
  for (const epoch of [1, 2, 3]) {
    const whole = await app.agent.scoredValidators()
    const byScore = whole.validators.toSorted(
      (a, b) => b.score - a.score || (a.validatorId < b.validatorId ? -1 : 1),
    )
    assert.deepEqual(idsOf(whole), idsOf({ validators: byScore }), String(epoch))
    assert.deepEqual(idsOf(await app.agent.scoredValidators({ sort: 'score' })), idsOf(whole))
    await app.agent.sandboxAdvance({ epochs: 7 })
  }
})

test('200: a search finds an id without its leading zeros, like every field for an id', async () => {
  await using app = await openAppOn('sandbox')
  const { data } = await app.agent.validators()
  const one = data.find(({ id }) => id.startsWith('0x0'))
  assert(one)
  const { data: found } = await app.agent.validators({ search: one.id.replace(/^0x0+/, '0x') })
  assert.deepEqual(
    found.map(({ id }) => id),
    [one.id],
  )
})

test('200: an allocation and a plan say how many validators the tier hides', async () => {
  await using app = await openAppOn('sandbox')
  const { assumptions } = await app.agent.allocate({ amount: '9000000000000' })
  assert.match(
    assumptions.join(),
    /^Only the 25 best validators by score are compared, .* builder .*; \d+ more/,
  )
  const { sender: owner } = (await holdingsOn('sandbox', app.agent)).earning
  assert.deepEqual((await app.agent.planRebalance({ owner })).assumptions, assumptions)
})
