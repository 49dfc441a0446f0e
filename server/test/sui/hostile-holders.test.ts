import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIST_KEPT_MS } from '#adapters/sui/holders/holder-index.ts'
import type { Disturbance, FakeGraphql } from '../fake-full-node/graphql-server.ts'
import { EPOCH, NOW, STRANGER, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'
import { ALL, crowdedNetwork, openListed, TOKEN } from './listed-chain.ts'
import { soon, WORLDS } from './opened-chain.ts'

/** A source of delegators that fails or lies: sums stay bounded, lists end, and no full node counts as failed. */

type Answer = Parameters<Extract<Disturbance, { readonly change: unknown }>['change']>[0]

const always = (one: Disturbance, times = 40) => ({
  prepare: ({ disturbances }: FakeGraphql) => disturbances.push(...Array.from({ length: times }, () => one)),
})

const pageInfo = (endCursor: string | null) => (answer: Answer) => ({
  ...answer,
  objects: { ...answer.objects, pageInfo: { hasNextPage: true, endCursor } },
})

const stakedBy = (delegators: readonly { readonly staked: bigint }[]) =>
  delegators.reduce((total, { staked }) => total + staked, 0n)

test('a token on two pages counts once, and a cycle of cursors ends the list', async () => {
  await using honest = await openListed('ika')
  const whole = await honest.listed()
  const circle = {
    prepare: ({ disturbances }: FakeGraphql) => {
      for (let turn = 0; turn < 20; turn += 1)
        disturbances.push({ change: pageInfo(idOf(0x5000)) }, { change: pageInfo(idOf(0x5001)) })
    },
  }
  await using opened = await openListed('ika', circle)
  const page = await opened.listed()
  assert(stakedBy(page.delegators) <= stakedBy(whole.delegators))
  assert.deepEqual([page.kind, page.isComplete], ['ready', false])
  assert(opened.graphql.asked.length <= 4, `${opened.graphql.asked.length} calls`)

  const [first] = whole.delegators
  await using moving = await openListed('ika', {
    prepare: ({ disturbances, world }) =>
      disturbances.push(undefined, {
        change: (answer) => {
          const again = [...world.objects.values()].find((object) => object.id === idOf(0x5000))
          assert(again && answer.objects)
          const nodes = [...answer.objects.nodes.slice(0, 49), nodeOf(again.id, answer)]
          return { ...answer, objects: { ...answer.objects, nodes } }
        },
      }),
  })
  const moved = await moving.listed()
  assert.deepEqual(moved.delegators[0], first)
})

/** The first object of the answer, under another id. */
function nodeOf(id: string, answer: Answer) {
  const [node] = answer.objects?.nodes ?? []
  return { ...node, address: id }
}

test('a list with a time in the future, or too old, is refused with a warning', async () => {
  const times = {
    'a time that has not come': NOW + 3_600_000,
    'the list is too old': NOW - LIST_KEPT_MS - 1_000,
  }
  for (const [reason, at] of Object.entries(times)) {
    const timestamp = new Date(at).toISOString()
    const change = (answer: Answer) => ({ ...answer, checkpoint: { timestamp } })
    await using opened = await openListed('ika', always({ change }))
    assert.equal((await opened.listed()).kind, 'syncing')
    assert.deepEqual(opened.warnings.length, 1)
    assert.match(opened.warnings[0] ?? '', new RegExp(reason))
  }
})

test('an answer that does not say whether there is a next page is refused, and no part of a list is served as a whole', async () => {
  for (const pageInfo of [{ hasNextPage: 'false', endCursor: idOf(0x5000) }, { endCursor: null }]) {
    const change = (answer: Answer) =>
      JSON.parse(JSON.stringify({ ...answer, objects: { ...answer.objects, pageInfo } }))
    await using opened = await openListed('ika', always({ change }))
    assert.equal((await opened.listed()).kind, 'syncing')
    assert.match(opened.warnings.join(), /whether there is a next page/)
  }
})

test('after a clock that was far ahead is corrected, the next list is read at once', async () => {
  await using opened = await openListed('ika')
  opened.now = NOW + 365 * 86_400_000
  assert.equal((await opened.listed()).kind, 'syncing', 'the list is too old for this clock')
  const before = opened.graphql.asked.length
  opened.now = NOW
  assert.equal((await opened.listed()).kind, 'ready')
  assert.equal(opened.graphql.asked.length, 2 * before, 'the list was read again')
})

test('stakes whose sum exceeds 64 bits are refused', async () => {
  const most = 2n ** 64n - 1n
  const tokens = [0, 1].map((at) => ({
    id: idOf(0x7000 + at),
    owner: STRANGER,
    validatorId: VALIDATORS.steady,
    principal: most,
    activationEpoch: 30,
  }))
  await using opened = await openListed('walrus', { described: { ...crowdedNetwork(), tokens } })
  assert.equal((await opened.listed()).kind, 'syncing')
  assert.match(opened.warnings.join(), /the sum of the stakes of an address exceeds 64 bits/)
})

for (const network of ['ika', 'walrus'] as const)
  test(`withdrawals from pools that do not exist: the list is served, and no full node counts as failed (${network})`, async () => {
    const invented = [STRANGER, idOf(0x5000), idOf(0x5)].map((validatorId, at) => ({
      id: idOf(0x7000 + at),
      owner: STRANGER,
      validatorId,
      principal: 5n * TOKEN,
      activationEpoch: 30,
      withdrawEpoch: EPOCH,
    }))
    const { tokens } = crowdedNetwork()
    await using opened = await openListed(network)
    opened.graphql.world = WORLDS[network]({ ...crowdedNetwork(), tokens: [...tokens, ...invented] })
    const { chain, warnings } = opened
    await chain.readSnapshot(soon())
    assert.equal((await opened.listed()).kind, 'ready')
    assert.equal((await chain.delegatorsOf(STRANGER, ALL, soon())).kind, 'ready')
    const { validators } = await chain.readSnapshot(soon())
    const claimable = new Map(validators.map(({ id, claimableStake }) => [id, claimableStake]))
    assert((claimable.get(VALIDATORS.lapsed) ?? 0n) > 50n * TOKEN)
    assert.deepEqual(warnings, [])
    assert.deepEqual(
      chain.nodes.states().map(({ failures }) => failures),
      [0],
    )
  })

test('a failure of full nodes during the computation of a sum does not lose the list', async () => {
  await using opened = await openListed('ika')
  opened.node.plan = () => ({ kind: 'reset' })
  assert.equal((await opened.listed().catch(() => undefined))?.kind, undefined, 'no pool can be read')
  opened.node.plan = () => undefined
  opened.now += 60_000
  const page = await opened.chain.delegatorsOf(VALIDATORS.steady, ALL, soon())
  assert.deepEqual([page.kind, page.isComplete], ['ready', true])
})
