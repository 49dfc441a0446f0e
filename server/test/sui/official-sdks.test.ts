import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type BcsType, bcs } from '@mysten/sui/bcs'
import fc from 'fast-check'
import { decode } from '#adapters/sui/layouts/decode.ts'
import * as ours from '#adapters/sui/layouts/ika-layouts.ts'
import { selfDescription } from '#adapters/sui/layouts/move-layouts.ts'
import * as oursOfWalrus from '#adapters/sui/layouts/walrus-layouts.ts'
import { innerFile } from '../../../test/packages/official-builders.ts'
import { sampleNetwork } from '../fake-full-node/sample-network.ts'
import { type DescribedNetwork, idOf, partOf } from '../fake-full-node/world.ts'
import { wholeRuns } from '../support/repetitions.ts'
import { WORLDS } from './opened-chain.ts'

/** A layout of an official SDK, generated from the Move sources. */
type Layout = BcsType<unknown, unknown>
type Module = Readonly<Record<string, Layout>>

const ofIka = (name: string) => innerFile<Module>('@ika.xyz/sdk', `generated/ika_system/${name}.js`)
const ofWalrus = (name: string) => innerFile<Module>('@mysten/walrus', `contracts/walrus/${name}.mjs`)

function layoutIn(module: Module, name: string): Layout {
  const layout = module[name]
  assert(layout, `the package has ${name}`)
  return layout
}

const asField = (key: BcsType<unknown, unknown>, value: Layout): Layout =>
  bcs.struct('Field', { id: bcs.Address, name: key, value }) as unknown as Layout
const u64 = bcs.u64() as unknown as Layout
const bool = bcs.bool() as unknown as Layout

const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
/** `u32`, the type of epochs on Walrus. */
const epoch = fc.nat(2 ** 32 - 1)
const byEpoch = fc.array(fc.record({ key: epoch, value: amount }), { maxLength: 3 })
const id = fc.nat(2 ** 30).map(idOf)

const someToken: fc.Arbitrary<DescribedNetwork['tokens'][number]> = fc.record(
  { id, owner: id, validatorId: id, principal: amount, activationEpoch: epoch, withdrawEpoch: epoch },
  { requiredKeys: ['id', 'owner', 'validatorId', 'principal', 'activationEpoch'] },
)

const someNetwork: fc.Arbitrary<DescribedNetwork> = fc.record({
  epoch,
  startedAt: fc.nat(2 ** 40),
  durationMs: fc.nat(2 ** 31),
  nextCommitteeSelected: fc.boolean(),
  packageId: id,
  checkpoint: fc.nat(),
  checkpointAt: fc.nat(2 ** 40),
  validators: fc.uniqueArray(
    fc.record({
      id,
      name: fc.string({ unit: 'grapheme', maxLength: 20 }),
      phase: fc.constantFrom('pre-active', 'active', 'withdrawing'),
      inCommittee: fc.boolean(),
      inNextCommittee: fc.boolean(),
      activationEpoch: epoch,
      lastEpoch: epoch,
      balance: fc.bigInt({ min: 0n, max: 2n ** 60n }),
      shares: amount,
      commissionBps: fc.nat(65_535),
      pendingCommission: byEpoch,
      pendingStake: byEpoch,
      pendingSharesWithdraw: byEpoch,
      preActiveWithdrawals: byEpoch,
      rewardsPool: amount,
      rates: fc.constant([]),
    }),
    { selector: (validator) => validator.id, minLength: 1, maxLength: 8 },
  ),
  tokens: fc.uniqueArray(someToken, { selector: (token) => token.id, maxLength: 8 }),
})

/** The primitive values of a decoded object with their field names, in the order of its bytes. */
function leavesOf(value: unknown, name = ''): readonly string[] {
  if (value === null || typeof value !== 'object') return [`${name} ${value}`]
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    return Array.from(value as ArrayLike<unknown>).flatMap((item) => leavesOf(item, name))
  }
  return Object.entries(value).flatMap(([key, part]) => (key === '$kind' ? [] : leavesOf(part, key)))
}

function sameBothWays(contents: Uint8Array, own: Layout, theirs: Layout): void {
  const read = theirs.parse(contents)
  const written = theirs.serialize(read).toBytes()
  assert.deepEqual(written, contents, 'both layouts write the same bytes')
  assert.deepEqual(
    leavesOf(decode(own, written, 'an object')),
    leavesOf(read),
    'both layouts read the same values',
  )
}

type Pair = { readonly own: Layout; readonly theirs: Layout }
const pair = (own: unknown, theirs: Layout): Pair => ({ own: own as Layout, theirs })

const RUNS = wholeRuns(150)

describe('Ika: the layouts of @ika.xyz/sdk and ours read and write the same bytes', async () => {
  const modules = ['system', 'system_inner', 'pending_active_set', 'validator', 'staked_ika'] as const
  const [system, innerState, set, validator, token] = await Promise.all(modules.map(ofIka))
  const metadata = await ofIka('validator_metadata')
  assert(system && innerState && set && validator && token)
  const pairs = {
    system: pair(ours.ikaSystem, layoutIn(system, 'System')),
    inner: pair(ours.ikaSystemInner, asField(u64, layoutIn(innerState, 'SystemInner'))),
    set: pair(ours.ikaPendingActiveSet, asField(bool, layoutIn(set, 'PendingActiveSet'))),
    validator: pair(ours.ikaValidator, layoutIn(validator, 'Validator')),
    token: pair(ours.stakedIka, layoutIn(token, 'StakedIka')),
    description: pair(selfDescription, asField(bool, layoutIn(metadata, 'ValidatorMetadata'))),
  }

  test('every object of random networks', () => {
    let compared = 0
    fc.assert(
      fc.property(someNetwork, (network) => {
        const metadataIds = new Set(network.validators.map((one) => partOf(one.id, 'metadata')))
        const objects = [...WORLDS.ika(network).objects.values()]
        for (const { contents, type, owner } of objects) {
          const isDescription = owner.kind === 'object' && metadataIds.has(owner.id)
          const { own, theirs } = pairs[isDescription ? 'description' : kindOf(type)]
          sameBothWays(contents, own, theirs)
          compared += 1
        }
      }),
      RUNS,
    )
    assert(compared > 1_000, `${compared} were compared`)
  })
})

function kindOf(type: string): 'system' | 'inner' | 'set' | 'validator' | 'token' {
  if (type.endsWith('::System') || type.endsWith('::Staking')) return 'system'
  if (type.endsWith('::Validator') || type.endsWith('::StakingPool')) return 'validator'
  if (/::Staked(Ika|Wal)$/.test(type)) return 'token'
  return type.includes('Field<u64') ? 'inner' : 'set'
}

describe('Walrus: the layouts of @mysten/walrus and ours read and write the same bytes', async () => {
  const [staking, innerState, pool] = await Promise.all(
    (['staking', 'staking_inner', 'staking_pool'] as const).map(ofWalrus),
  )
  assert(staking && innerState && pool)
  const pairs: { readonly [Kind in ReturnType<typeof kindOf>]?: Pair } = {
    system: pair(oursOfWalrus.walrusStaking, layoutIn(staking, 'Staking')),
    inner: pair(oursOfWalrus.walrusStakingInner, asField(u64, layoutIn(innerState, 'StakingInnerV1'))),
    validator: pair(oursOfWalrus.walrusPool, layoutIn(pool, 'StakingPool')),
  }

  test('the staking object, its state and the pools of random networks', () => {
    let compared = 0
    fc.assert(
      fc.property(someNetwork, (network) => {
        for (const { contents, type } of WORLDS.walrus(network).objects.values()) {
          const known = pairs[kindOf(type)]
          if (!known) continue
          sameBothWays(contents, known.own, known.theirs)
          compared += 1
        }
      }),
      { numRuns: 2 * RUNS.numRuns },
    )
    assert(compared > 1_000, `${compared} were compared`)
  })
})

test('Walrus: 1,000 staked tokens are read and written in the layout of the Move source', () => {
  let compared = 0
  fc.assert(
    fc.property(someToken, (token) => {
      const contents = declaredStakedWal(token)
      const read = oursOfWalrus.stakedWal.parse(contents)
      assert.deepEqual(leavesOf(read), [
        `id ${token.id}`,
        token.withdrawEpoch === undefined ? 'Staked true' : `withdraw_epoch ${token.withdrawEpoch}`,
        `node_id ${token.validatorId}`,
        `value ${token.principal}`,
        `activation_epoch ${token.activationEpoch}`,
      ])
      assert.deepEqual(oursOfWalrus.stakedWal.serialize(read).toBytes(), contents)
      const known = { ...EMPTY_NETWORK, tokens: [token] }
      const [object] = [...WORLDS.walrus(known).objects.values()].filter(
        ({ type }) => kindOf(type) === 'token',
      )
      assert.deepEqual(object?.contents, contents, 'the fake node writes the same')
      compared += 1
    }),
    wholeRuns(1_000),
  )
  assert.equal(compared, 1_000)
})

const EMPTY_NETWORK = sampleNetwork({ validators: [] })

/** `@mysten/walrus` does not publish the layout of this object, so its fields are serialized here by hand. */
function declaredStakedWal(token: DescribedNetwork['tokens'][number]): Uint8Array {
  const { id, validatorId, principal, activationEpoch, withdrawEpoch } = token
  const bytesOf = (hex: string) => Uint8Array.fromHex(hex.slice(2).padStart(64, '0'))
  const little = (value: bigint, length: number) =>
    Uint8Array.from({ length }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
  const state = withdrawEpoch === undefined ? [0] : [1, ...little(BigInt(withdrawEpoch), 4)]
  return Uint8Array.from([
    ...bytesOf(id),
    ...state,
    ...bytesOf(validatorId),
    ...little(principal, 8),
    ...little(BigInt(activationEpoch), 4),
  ])
}
