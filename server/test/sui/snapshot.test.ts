import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ChainSnapshot, EpochRecord } from '#ports/chain/staking-chain.ts'
import { REAL_LIMITS } from '../fake-full-node/fake-full-node.ts'
import {
  IKA_JOINING_STAKE,
  IKA_REMAINING,
  IKA_SHARED_VERSION,
  IKA_SUBSIDY,
} from '../fake-full-node/ika-world.ts'
import {
  EPOCH,
  NOW,
  OWNER,
  STARTED_AT,
  sampleNetwork,
  TOKENS,
  VALIDATORS,
} from '../fake-full-node/sample-network.ts'
import { WALRUS_SHARED_VERSION } from '../fake-full-node/walrus-world.ts'
import { idOf } from '../fake-full-node/world.ts'
import { openTestChain, soon, WORLDS } from './opened-chain.ts'

const TOKEN = 1_000_000_000n
const DAY = 86_400_000
const validatorOf = (snapshot: ChainSnapshot, id: string) =>
  snapshot.validators.find((each) => each.id === id)
/** A committee member without announced changes. */
function memberOf(at: number) {
  const member = sampleNetwork().validators.find(({ id }) => id === VALIDATORS.lapsed)
  assert(member)
  return { ...member, id: idOf(0x1000 + at) }
}
const statuses = ({ validators }: ChainSnapshot) =>
  Object.fromEntries(validators.map(({ id, status }) => [id, status]))

describe('Ika', () => {
  test('the snapshot has the values of the objects', async () => {
    await using opened = await openTestChain('ika')
    const snapshot = await opened.chain.readSnapshot(soon())
    const network = sampleNetwork()
    assert.deepEqual(snapshot.epoch, {
      number: EPOCH,
      startedAt: STARTED_AT,
      durationMs: DAY,
      nextCommitteeSelected: false,
    })
    assert.equal(snapshot.checkpoint, network.checkpoint)
    assert.equal(snapshot.checkpointAt, NOW - 400)
    assert.equal(snapshot.system.packageId, network.packageId)
    assert.equal(snapshot.system.initialSharedVersion, String(IKA_SHARED_VERSION))
    assert.equal(snapshot.system.minValidatorJoiningStake, IKA_JOINING_STAKE)
    assert.equal(snapshot.system.minValidatorStake, IKA_JOINING_STAKE)
    assert.deepEqual(snapshot.system.activeSet, {
      members: 4,
      minMembers: 4,
      maxMembers: 102,
      changesLeft: 10,
    })
    assert.deepEqual(snapshot.rewards, {
      perEpoch: IKA_SUBSIDY + IKA_REMAINING,
      shape: { kind: 'equal-share' },
    })
    assert.deepEqual(validatorOf(snapshot, VALIDATORS.steady), {
      id: VALIDATORS.steady,
      name: 'Steady',
      status: 'active',
      stake: 1_300n * TOKEN,
      pendingStake: 70n * TOKEN,
      withdrawingStake: 13n * TOKEN,
      nextStake: 1_357n * TOKEN,
      claimableStake: undefined,
      unclaimedRewards: 290n * TOKEN,
      commissionBps: 500,
      nextCommissionBps: 700,
      inNextCommittee: undefined,
      facts: {
        earnsUntil: undefined,
        commissionChangesAt: EPOCH + 2,
        shards: undefined,
        reportedBy: 0,
        votes: undefined,
        description: 'This is Steady.',
        imageUrl: 'https://validator.example/logo.png',
        projectUrl: undefined,
      },
    })
    assert.equal(validatorOf(snapshot, VALIDATORS.lapsed)?.facts?.reportedBy, 1)
  })

  test('each validator has the status that follows from the sets it is in', async () => {
    await using opened = await openTestChain('ika')
    assert.deepEqual(statuses(await opened.chain.readSnapshot(soon())), {
      [VALIDATORS.steady]: 'active',
      [VALIDATORS.lapsed]: 'active',
      [VALIDATORS.greedy]: 'active',
      [VALIDATORS.joining]: 'pending',
      [VALIDATORS.left]: 'inactive',
      [VALIDATORS.dropped]: 'inactive',
      [VALIDATORS.candidate]: 'candidate',
    })
  })

  test('the next committee is known once it is selected', async () => {
    await using opened = await openTestChain('ika', [
      WORLDS.ika(sampleNetwork({ nextCommitteeSelected: true })),
    ])
    const snapshot = await opened.chain.readSnapshot(soon())
    assert.ok(snapshot.epoch.nextCommitteeSelected)
    assert.equal(validatorOf(snapshot, VALIDATORS.steady)?.inNextCommittee, true)
    assert.equal(validatorOf(snapshot, VALIDATORS.greedy)?.inNextCommittee, false)
  })

  test('a newcomer needs more than the smallest member of a full set, whose members need the joining stake', async () => {
    const members = Array.from({ length: 102 }, (_, at) => ({
      ...memberOf(at),
      balance: IKA_JOINING_STAKE + BigInt(at + 5),
    }))
    await using opened = await openTestChain('ika', [WORLDS.ika(sampleNetwork({ validators: members }))])
    const { system } = await opened.chain.readSnapshot(soon())
    assert.equal(system.minValidatorJoiningStake, IKA_JOINING_STAKE + 6n)
    assert.equal(system.minValidatorStake, IKA_JOINING_STAKE)
  })

  test('a withdrawing validator has status leaving as long as it is in the committee', async () => {
    const network = sampleNetwork()
    const validators = network.validators.map((validator) =>
      validator.id === VALIDATORS.lapsed
        ? { ...validator, phase: 'withdrawing' as const, lastEpoch: EPOCH + 1 }
        : validator,
    )
    await using opened = await openTestChain('ika', [WORLDS.ika({ ...network, validators })])
    assert.equal(statuses(await opened.chain.readSnapshot(soon()))[VALIDATORS.lapsed], 'leaving')
  })
})

describe('Walrus', () => {
  test('a newcomer needs more than the smallest member of a full set, whose members need a shard', async () => {
    for (const [count, contractVersion] of [
      [110, 3],
      [111, 3],
      [111, 4],
      [150, 4],
    ] as const) {
      const members = Array.from({ length: count }, (_, at) => ({
        ...memberOf(at),
        balance: BigInt(1_300 + at) * TOKEN,
      }))
      const network = sampleNetwork({ validators: members, contractVersion })
      await using opened = await openTestChain('walrus', [WORLDS.walrus(network)])
      const { system } = await opened.chain.readSnapshot(soon())
      assert(system.minValidatorStake < 200n * TOKEN)
      const isFull = count === system.activeSet?.maxMembers
      assert.equal(
        system.minValidatorJoiningStake,
        isFull ? 1_300n * TOKEN + 1n : system.minValidatorStake,
        `${count} members`,
      )
    }
  })

  test('the snapshot has the values of the objects, and rewards computed from the rates', async () => {
    await using opened = await openTestChain('walrus')
    const snapshot = await opened.chain.readSnapshot(soon())
    assert.equal(snapshot.epoch.startedAt, STARTED_AT)
    assert.equal(snapshot.system.initialSharedVersion, String(WALRUS_SHARED_VERSION))
    // Stakes of 1,300, 1,300 and 1,000 get 361, 361 and 278 of 1,000 shards; the third pays least per shard.
    assert.equal(snapshot.system.minValidatorStake, (1_000n * TOKEN) / 278n + 1n)
    assert.equal(snapshot.system.minValidatorJoiningStake, (1_000n * TOKEN) / 278n + 1n)
    assert.equal(snapshot.system.activeSet?.maxMembers, 111)
    // Two pools gained 10 tokens after a commission of 5%; the third, with a commission of 100%, tells nothing.
    assert.equal(snapshot.rewards.perEpoch, 2n * ((10n * TOKEN * 10_000n) / 9_500n))
    assert.deepEqual(snapshot.rewards.shape, { kind: 'proportional', capShare: 0.667, shards: 1_000 })
    assert.equal(validatorOf(snapshot, VALIDATORS.steady)?.nextCommissionBps, 700)
    assert.equal(statuses(snapshot)[VALIDATORS.candidate], 'candidate')
    assert.equal(statuses(snapshot)[VALIDATORS.joining], 'pending')
    assert.equal(statuses(snapshot)[VALIDATORS.left], 'inactive')
  })

  for (const [contractVersion, announced, seats] of [
    [3, 500, 111],
    [4, 900, 150],
  ] as const) {
    test(`version ${contractVersion}: a commission announced while a node was outside follows the rules of this version`, async () => {
      const network = sampleNetwork({ contractVersion })
      const validators = network.validators.map((validator) =>
        validator.id === VALIDATORS.dropped
          ? { ...validator, pendingCommission: [{ key: EPOCH - 3, value: 900n }] }
          : validator,
      )
      await using opened = await openTestChain('walrus', [WORLDS.walrus({ ...network, validators })])
      const snapshot = await opened.chain.readSnapshot(soon())
      const { commissionBps, nextCommissionBps } = validatorOf(snapshot, VALIDATORS.dropped) ?? {}
      assert.deepEqual([commissionBps, nextCommissionBps], [500, announced])
      assert.equal(snapshot.system.activeSet?.maxMembers, seats)
    })
  }

  test('more than 5,000 registered nodes are read', async () => {
    const network = sampleNetwork()
    const candidate = network.validators.find(({ id }) => id === VALIDATORS.candidate)
    assert.ok(candidate)
    const more = Array.from({ length: 5_000 }, (_, at) => ({ ...candidate, id: idOf(0x10_000 + at) }))
    const validators = [...network.validators, ...more]
    // On a busy machine, reading and decoding them all takes a minute.
    const patient = { callMs: 300_000, totalMs: 600_000 }
    const worlds = [WORLDS.walrus({ ...network, validators })]
    await using opened = await openTestChain('walrus', worlds, patient)
    for (const node of opened.nodes) node.limits = REAL_LIMITS
    const snapshot = await opened.chain.readSnapshot(AbortSignal.timeout(600_000))
    assert.equal(snapshot.validators.length, validators.length)
  })

  test('a newly registered node is a candidate, one that lost its place is inactive', async () => {
    const network = sampleNetwork()
    const validators = network.validators.map((validator) =>
      validator.id === VALIDATORS.candidate
        ? { ...validator, phase: 'active' as const, activationEpoch: EPOCH - 1 }
        : validator,
    )
    await using opened = await openTestChain('walrus', [WORLDS.walrus({ ...network, validators })])
    const found = statuses(await opened.chain.readSnapshot(soon()))
    assert.equal(found[VALIDATORS.candidate], 'candidate')
    assert.equal(found[VALIDATORS.dropped], 'inactive')
  })
})

describe('Sui', () => {
  test('a stake with a candidate is found, with zero rewards', async () => {
    const network = sampleNetwork()
    const [token] = network.tokens
    assert.ok(token)
    const early = { ...token, validatorId: VALIDATORS.candidate, activationEpoch: EPOCH - 2 }
    await using opened = await openTestChain('sui', [WORLDS.sui({ ...network, tokens: [early] })])
    const [found] = await opened.chain.stakedTokensOf(OWNER, soon())
    assert.equal(found?.validatorId, VALIDATORS.candidate)
    assert.equal(found?.rewards, 0n)
  })

  test('a validator that is about to be removed has status leaving', async () => {
    const network = sampleNetwork()
    const validators = network.validators.map((validator) =>
      validator.id === VALIDATORS.lapsed ? { ...validator, phase: 'withdrawing' as const } : validator,
    )
    await using opened = await openTestChain('sui', [WORLDS.sui({ ...network, validators })])
    assert.equal(statuses(await opened.chain.readSnapshot(soon()))[VALIDATORS.lapsed], 'leaving')
  })

  test('stake that joins at an epoch change does not count as reward of the epoch before', async () => {
    const network = sampleNetwork()
    const [steady] = network.validators
    assert.ok(steady)
    // The rate is recorded after the joining 500 tokens have bought shares at it.
    const rates = [
      { epoch: EPOCH - 1, tokens: 1_000n * TOKEN, shares: 1_000n * TOKEN },
      { epoch: EPOCH, tokens: 1_650n * TOKEN, shares: 1_500n * TOKEN },
    ]
    const validators = [{ ...steady, commissionBps: 0, pendingCommission: [], rates }]
    await using opened = await openTestChain('sui', [WORLDS.sui({ ...network, validators, tokens: [] })])
    const snapshot = await opened.chain.readSnapshot(soon())
    assert.equal(snapshot.rewards.perEpoch, 100n * TOKEN)
    const last = recordOf(await opened.chain.readEpochs(EPOCH - 1, soon()), VALIDATORS.steady, EPOCH - 1)
    assert.deepEqual([last?.rate.tokens, last?.stake], [1_650n * TOKEN, 1_000n * TOKEN])
  })

  test('the snapshot has the values of the system state', async () => {
    await using opened = await openTestChain('sui')
    const snapshot = await opened.chain.readSnapshot(soon())
    assert.deepEqual(snapshot.system, {
      objectId: `0x${'5'.padStart(64, '0')}`,
      initialSharedVersion: '1',
      packageId: '0x3',
      minValidatorJoiningStake: (3_600n * TOKEN * 3n) / 9_997n + 1n,
      minValidatorStake: (3_600n * TOKEN * 2n) / 10_000n,
      activeSet: undefined,
    })
    assert.equal(snapshot.validators.length, 3)
    const steady = validatorOf(snapshot, VALIDATORS.steady)
    assert.equal(steady?.nextStake, 1_357n * TOKEN)
    assert.equal(steady?.nextCommissionBps, 700)
    assert.equal(steady?.claimableStake, 0n)
  })
})

for (const network of ['ika', 'walrus', 'sui'] as const) {
  describe(`${network}: history and tokens`, () => {
    test('an epoch ends with the rate that the next one begins with', async () => {
      await using opened = await openTestChain(network)
      const last = recordOf(await opened.chain.readEpochs(EPOCH - 1, soon()), VALIDATORS.steady, EPOCH - 1)
      assert.deepEqual(last, {
        validatorId: VALIDATORS.steady,
        epoch: EPOCH - 1,
        endedAt: STARTED_AT,
        rate: { tokens: 1_300n * TOKEN, shares: 1_000n * TOKEN },
        // Sui's rates include stake that joins at the epoch change, so the stake of an epoch is that of its first rate.
        stake: (network === 'sui' ? 1_290n : 1_300n) * TOKEN,
        commissionBps: 500,
        // The commission of the current epoch: the service did not read this epoch while it ran.
        commissionSource: 'assumed',
        performed: true,
      })
    })

    test('a missed epoch has the rate of the epoch before it, and `performed` is false', async () => {
      await using opened = await openTestChain(network)
      const records = await opened.chain.readEpochs(33, soon())
      const lapsed = [34, 35, 36, 37].map((epoch) => recordOf(records, VALIDATORS.lapsed, epoch))
      assert.deepEqual(
        lapsed.map((record) => record?.performed),
        [true, false, false, true],
      )
      assert.deepEqual(lapsed[1]?.rate, lapsed[0]?.rate)
      assert.deepEqual(lapsed[2]?.rate, lapsed[0]?.rate)
      assert.equal(lapsed[0]?.endedAt, STARTED_AT - 5 * DAY)
    })

    test('a history that begins in a missed epoch has the rate before it', async () => {
      await using opened = await openTestChain(network)
      const records = await opened.chain.readEpochs(37, soon())
      assert.equal(recordOf(records, VALIDATORS.lapsed, 37)?.performed, true)
      const missed = await opened.chain.readEpochs(36, soon())
      assert.equal(recordOf(missed, VALIDATORS.lapsed, 36)?.rate.tokens, 1_250n * TOKEN)
    })

    test('`performed` is unknown for a validator with a commission of 100%', async () => {
      await using opened = await openTestChain(network)
      const record = recordOf(await opened.chain.readEpochs(EPOCH - 1, soon()), VALIDATORS.greedy, EPOCH - 1)
      assert.equal(record?.performed, undefined)
    })

    test('rewards follow from the rates of the epochs between', async () => {
      await using opened = await openTestChain(network)
      const tokens = new Map(
        (await opened.chain.stakedTokensOf(OWNER, soon())).map((token) => [token.id, token]),
      )
      assert.equal(tokens.size, 4)
      assert.equal(tokens.get(TOKENS.earning)?.rewards, (100n * TOKEN * 1_300n) / 1_100n - 100n * TOKEN)
      assert.equal(tokens.get(TOKENS.preActive)?.rewards, 0n)
      assert.equal(tokens.get(TOKENS.earning)?.validatorId, VALIDATORS.steady)
    })

    test('a stake with a validator that left earned until it left', async () => {
      await using opened = await openTestChain(network)
      const token = await opened.chain.stakedToken(TOKENS.ofLeft, soon())
      assert.equal(token?.validatorId, VALIDATORS.left)
      assert.equal(token?.rewards, (((10n * TOKEN * 1_000n) / 1_050n) * 1_200n) / 1_000n - 10n * TOKEN)
    })
  })
}

for (const network of ['ika', 'walrus'] as const) {
  test(`${network}: a withdrawn stake earns until its withdraw epoch, from the rate before its missed activation epoch`, async () => {
    await using opened = await openTestChain(network)
    const token = await opened.chain.stakedToken(TOKENS.withdrawing, soon())
    assert.equal(token?.withdrawEpoch, EPOCH - 1)
    // Activated in epoch 36, which has no rate: the rate of epoch 35 applies.
    assert.equal(token?.rewards, (((50n * TOKEN * 1_000n) / 1_250n) * 1_290n) / 1_000n - 50n * TOKEN)
  })

  test(`${network}: rewards are never more than the pool has set aside`, async () => {
    const network_ = sampleNetwork()
    const validators = network_.validators.map((validator) => ({ ...validator, rewardsPool: 3n }))
    await using opened = await openTestChain(network, [WORLDS[network]({ ...network_, validators })])
    assert.equal((await opened.chain.stakedToken(TOKENS.earning, soon()))?.rewards, 3n)
  })
}

test('Ika: a dropped validator has its last rate in later epochs, however old', async () => {
  await using opened = await openTestChain('ika')
  const record = recordOf(await opened.chain.readEpochs(EPOCH - 2, soon()), VALIDATORS.dropped, EPOCH - 2)
  assert.equal(record?.rate.tokens, 1_100n * TOKEN)
  assert.equal(record?.performed, false)
})

function recordOf(
  records: readonly EpochRecord[],
  validatorId: string,
  epoch: number,
): EpochRecord | undefined {
  return records.find((record) => record.validatorId === validatorId && record.epoch === epoch)
}
