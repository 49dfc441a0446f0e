import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client, Reply } from '@stakewright/client'
import { startFakeGraphql } from '../../fake-full-node/graphql-server.ts'
import { OWNER, VALIDATORS } from '../../fake-full-node/sample-network.ts'
import { sampleWorld } from '../../sui/opened-chain.ts'
import { openChainApp, openSandboxApp } from '../../support/chain-app.ts'
import { ME, stakeInSandbox } from '../../support/holdings.ts'
import { until } from '../../support/until.ts'
import { refusesField, refusesFor } from '../refused.ts'

async function activeValidator(agent: Client): Promise<string> {
  const { data } = await agent.validators()
  return data.find(({ status }) => status === 'active')?.id ?? ''
}

async function readAll(agent: Client, validatorId: string, limit: number) {
  const pages: Reply<'delegators'>[] = []
  let cursor: string | null = null
  do {
    const page: Reply<'delegators'> = await agent.delegators({
      validatorId,
      limit,
      ...(cursor && { cursor }),
    })
    pages.push(page)
    cursor = page.nextCursor
  } while (cursor !== null)
  return pages
}

test('200: sandbox: pages of any size give the same list, in the order of the addresses', async () => {
  await using app = await openSandboxApp()
  const validatorId = await activeValidator(app.agent)
  const whole = await app.agent.delegators({ validatorId, limit: 100 })
  assert.equal(whole.syncing, false)
  assert.ok(whole.delegators.length > 3 && whole.nextCursor === null)
  const owners = whole.delegators.map(({ owner }) => owner)
  assert.deepEqual(owners, owners.toSorted())
  for (const limit of [1, 2, 3, owners.length]) {
    const pages = await readAll(app.agent, validatorId, limit)
    assert.ok(pages.every(({ delegators }) => delegators.length <= limit))
    assert.deepEqual(
      pages.flatMap(({ delegators }) => delegators),
      whole.delegators,
    )
  }
})

test('200: sandbox: an address that stakes is in the list, with the sum of its stakes', async () => {
  await using app = await openSandboxApp()
  const validatorId = await activeValidator(app.agent)
  await stakeInSandbox(app.agent, validatorId)
  await stakeInSandbox(app.agent, validatorId)
  const pages = await readAll(app.agent, validatorId, 100)
  const mine = pages.flatMap(({ delegators }) => delegators).filter(({ owner }) => owner === ME)
  assert.deepEqual(mine, [{ owner: ME, stakedAmount: '20000000000', tokens: 2 }])
})

test('200: a network that cannot list delegators says so', async () => {
  for (const network of ['ika', 'walrus', 'sui'] as const) {
    await using app = await openChainApp(network)
    const page = await app.agent.delegators({ validatorId: VALIDATORS.steady })
    assert.deepEqual([page.syncing, page.delegators, page.nextCursor], [true, [], null])
  }
})

for (const network of ['ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: with a GraphQL source delegators and claimable stake are given`, async () => {
    const world = sampleWorld(network)
    await using source = await startFakeGraphql(world)
    const { host } = new URL(source.url)
    await using app = await openChainApp(network, [world], {
      SUI_GRAPHQL_URL: source.url,
      SUI_RPC_HEADERS: JSON.stringify({ [host]: { 'x-token': 'key of the source' } }),
    })
    const { agent } = app
    const page = (validatorId: string) => agent.delegators({ validatorId, limit: 100 })
    await until(async () => !(await page(VALIDATORS.steady)).syncing)
    const { positions } = await agent.positions({ owner: OWNER })
    for (const validatorId of [VALIDATORS.steady, VALIDATORS.lapsed]) {
      const here = positions.filter((one) => one.validatorId === validatorId)
      const staked = here.reduce((sum, { principal }) => sum + BigInt(principal), 0n)
      const { delegators, complete, nextCursor } = await page(validatorId)
      assert.deepEqual([complete, nextCursor], [true, null])
      assert.deepEqual(
        delegators.filter(({ owner }) => owner === OWNER),
        here.length > 0 ? [{ owner: OWNER, stakedAmount: String(staked), tokens: here.length }] : [],
      )
    }
    assert(source.asked.every(({ headers }) => headers['x-token'] === 'key of the source'))
    app.clock.advance(1_000)
    await app.runJob('watch-network')
    const { claimableStake } = await agent.validator({ id: VALIDATORS.lapsed })
    const due = positions.filter(
      ({ validatorId, next }) =>
        network !== 'sui' && validatorId === VALIDATORS.lapsed && next === 'withdraw',
    )
    assert.equal(
      claimableStake,
      String(due.reduce((sum, { principal, rewards }) => sum + BigInt(principal) + BigInt(rewards), 0n)),
    )
  })
}

test('404: an unknown validator', async () => {
  await using app = await openSandboxApp()
  await refusesFor(app.agent.delegators({ validatorId: ME }), 'not_found', /no validator with this id/)
})

test('400: a page has between one and a hundred items', async () => {
  await using app = await openSandboxApp()
  const validatorId = await activeValidator(app.agent)
  for (const limit of [0, 101, 1.5]) {
    await refusesField(app.agent.delegators({ validatorId, limit }), 'limit', /\w/)
  }
})
