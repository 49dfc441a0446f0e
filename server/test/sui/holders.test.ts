import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import { HOLDERS_QUERY } from '#adapters/sui/holders/graphql-source.ts'
import { LIST_EVERY_MS, LIST_KEPT_MS } from '#adapters/sui/holders/holder-index.ts'
import type { FakeGraphql } from '../fake-full-node/graphql-server.ts'
import { EPOCH, NOW, OWNER, STRANGER, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { ALL, crowdedNetwork, openListed, TOKEN } from './listed-chain.ts'
import { soon, WORLDS } from './opened-chain.ts'

const SDK = import.meta.resolve('@mysten/sui/graphql/schema')
/** The schema that the SDK's types are generated from: it is in the package, but not exported. */
const SCHEMA = new URL('../../../src/graphql/generated/schema.graphql', SDK)

/** The reference implementation of GraphQL, a dependency of the SDK. */
type GraphqlLibrary = {
  readonly buildSchema: (text: string) => object
  readonly parse: (query: string) => object
  readonly validate: (schema: object, query: object) => readonly Error[]
}

test('the query is valid by the schema that Sui publishes: fields, arguments and their types', () => {
  const { buildSchema, parse, validate }: GraphqlLibrary = createRequire(SDK)('graphql')
  const schema = buildSchema(readFileSync(SCHEMA, 'utf8'))
  assert.deepEqual(validate(schema, parse(HOLDERS_QUERY)).map(String), [])
  const wrong = HOLDERS_QUERY.replace('$first: Int!', '$first: String!')
  assert.equal(validate(schema, parse(wrong)).length, 1, 'a wrong type is found')
})

for (const network of ['ika', 'walrus', 'sui'] as const) {
  describe(`${network}: delegators by a GraphQL source`, () => {
    test('are syncing at first, then complete, ordered by address, with the time of the list', async () => {
      await using opened = await openListed(network)
      const { chain, graphql, listed, pauses } = opened
      const none = { delegators: [], next: undefined, isComplete: false, listedAt: undefined }
      assert.deepEqual(await chain.delegatorsOf(VALIDATORS.steady, ALL, soon()), { kind: 'syncing', ...none })
      const page = await listed()
      assert.deepEqual([page.kind, page.isComplete, page.listedAt], ['ready', true, NOW - 400])
      const expected = new Map<string, { staked: bigint; tokens: number }>()
      for (const { owner, validatorId, principal } of crowdedNetwork().tokens) {
        if (validatorId !== VALIDATORS.steady) continue
        const { staked, tokens } = expected.get(owner) ?? { staked: 0n, tokens: 0 }
        expected.set(owner, { staked: staked + principal, tokens: tokens + 1 })
      }
      assert.deepEqual(
        page.delegators,
        [...expected]
          .map(([owner, held]) => ({ owner, ...held }))
          .sort((a, b) => (a.owner < b.owner ? -1 : 1)),
      )
      // 124 tokens, 50 per call, half a second between calls.
      assert.deepEqual([graphql.asked.length, pauses], [3, [500, 500]])
      assert(graphql.asked.every(({ headers }) => headers['x-token'] === 'geheim456'))
    })

    test('are returned in pages; a validator without stake has none', async () => {
      await using opened = await openListed(network)
      const { chain, listed } = opened
      const first = await listed(VALIDATORS.steady, { after: undefined, limit: 40 })
      assert.equal(first.delegators.length, 40)
      const second = await chain.delegatorsOf(VALIDATORS.steady, { after: first.next, limit: 40 }, soon())
      assert.deepEqual([second.delegators.length, second.next], [21, undefined])
      assert.deepEqual((await chain.delegatorsOf(VALIDATORS.greedy, ALL, soon())).delegators, [])
    })
  })
}

for (const network of ['ika', 'walrus'] as const) {
  test(`${network}: claimableStake is the sum of withdrawable stakes with rewards, and only of the current epoch`, async () => {
    await using opened = await openListed(network)
    const { chain } = opened
    const claimable = async () => {
      const { validators } = await chain.readSnapshot(soon())
      return new Map(validators.map(({ id, claimableStake }) => [id, claimableStake]))
    }
    assert.equal((await claimable()).get(VALIDATORS.lapsed), undefined, 'not listed yet')
    await chain.holdersListed()
    const tokens = await chain.stakedTokensOf(OWNER, soon())
    const due = tokens.filter(({ withdrawEpoch = EPOCH + 1 }) => withdrawEpoch <= EPOCH)
    assert.equal(due.length, 1)
    const sum = due.reduce((total, { principal, rewards }) => total + principal + rewards, 0n)
    assert((await claimable()).get(VALIDATORS.lapsed) === sum && sum > 50n * TOKEN, `${sum}`)
    assert.equal((await claimable()).get(VALIDATORS.steady), 0n)

    opened.node.world = WORLDS[network](crowdedNetwork({ epoch: EPOCH + 1, checkpoint: 6_000 }))
    assert.equal((await claimable()).get(VALIDATORS.lapsed), undefined, 'the sum was of another epoch')
  })
}

test('sui: claimableStake is zero even without a list, because withdrawing pays at once', async () => {
  await using opened = await openListed('sui')
  const { validators } = await opened.chain.readSnapshot(soon())
  assert(validators.every(({ claimableStake }) => claimableStake === 0n))
})

test('a list above the limit ends early, is marked incomplete, and gives no sum', async () => {
  await using opened = await openListed('ika', { maxObjects: 100 })
  const { chain, graphql, listed } = opened
  const page = await listed()
  assert.deepEqual([page.kind, page.isComplete, graphql.asked.length], ['ready', false, 2])
  const { validators } = await chain.readSnapshot(soon())
  assert(validators.every(({ claimableStake }) => claimableStake === undefined))
})

test('listing pauses for the Retry-After of the source, and continues where it was', async () => {
  await using opened = await openListed('walrus', {
    prepare: ({ disturbances }) =>
      disturbances.push(undefined, { status: 429, headers: { 'retry-after': '30' } }, { status: 503 }),
  })
  const { graphql, listed, pauses, warnings } = opened
  assert.equal((await listed()).isComplete, true)
  assert.deepEqual(pauses, [500, 30_000, 10_000, 500])
  const asked = graphql.asked.map(({ after }) => after)
  assert.deepEqual([asked[0], asked[1], asked[2]], [null, asked[3], asked[3]])
  assert.deepEqual(warnings, [])
})

test('a source that always fails, or lies about chain or type, gives no list; snapshots are not affected', async () => {
  const always = (one: FakeGraphql['disturbances'][number]) => (fake: FakeGraphql) =>
    fake.disturbances.push(...Array.from({ length: 5 }, () => one))
  const cases = {
    'HTTP 401': { status: 401 },
    'outside the available range': { errors: [{ message: 'outside the available range' }] },
    'this is chain 01020304': { change: (answer: object) => ({ ...answer, chainIdentifier: '01020304' }) },
    'the list of objects is missing': { change: (answer: object) => ({ ...answer, objects: null }) },
    'an object has type 0x': {
      change: (answer: object) =>
        JSON.parse(JSON.stringify(answer).replaceAll('::staked_ika::StakedIka', '::fake::StakedIka')),
    },
  } as const
  for (const [reason, disturbance] of Object.entries(cases)) {
    await using opened = await openListed('ika', { prepare: always(disturbance) })
    const page = await opened.listed()
    assert.equal(page.kind, 'syncing', reason)
    const [warning = '', ...others] = opened.warnings
    assert(warning.startsWith('delegators were not listed: ') && warning.includes(reason), warning)
    assert.doesNotMatch(warning, /geheim/)
    assert.deepEqual(others, [])
    assert.equal((await opened.chain.readSnapshot(soon())).validators.length, 7)
  }
})

test('the list is refreshed after LIST_EVERY_MS, served until then, and dropped after LIST_KEPT_MS', async () => {
  await using opened = await openListed('ika')
  const { chain, graphql, listed } = opened
  await listed()
  opened.now += LIST_EVERY_MS - 1
  await listed()
  assert.equal(graphql.asked.length, 3)
  const { tokens } = crowdedNetwork()
  graphql.world = WORLDS.ika({
    ...crowdedNetwork(),
    tokens: tokens.map((token) => ({ ...token, owner: STRANGER })),
  })
  opened.now += 1
  const page = await listed()
  assert.deepEqual(
    page.delegators.map(({ owner, tokens: count }) => [owner, count]),
    [[STRANGER, 122]],
  )
  graphql.disturbances.push(...Array.from({ length: 5 }, () => ({ status: 500 })))
  opened.now += LIST_KEPT_MS + 1
  assert.equal((await chain.delegatorsOf(VALIDATORS.steady, ALL, soon())).kind, 'syncing')
})

test('the clock is set back by more than LIST_KEPT_MS: the list, whose age is unknown then, is not served', async () => {
  await using opened = await openListed('ika')
  await opened.listed()
  opened.now -= LIST_KEPT_MS + LIST_EVERY_MS
  assert.equal((await opened.chain.delegatorsOf(VALIDATORS.steady, ALL, soon())).kind, 'syncing')
})
