import fc from 'fast-check'
import type {
  ChainSnapshot,
  EpochRecord,
  NetworkName,
  Validator,
  ValidatorFacts,
} from '#ports/chain/staking-chain.ts'
import { anyText } from '../../../../test/any-text.ts'

/** Snapshots and records of every shape that the types allow, for suites that store and return them. */

/** The time of a call. */
export const NOW = Date.UTC(2027, 0, 1)

const amounts = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const wholes = fc.nat({ max: Number.MAX_SAFE_INTEGER })
const texts = anyText({ maxLength: 12 })
const plain = <T>(model: { [Field in keyof T]: fc.Arbitrary<T[Field]> }) =>
  fc.record<T>(model, { noNullPrototype: true })
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const facts: fc.Arbitrary<ValidatorFacts> = plain({
  earnsUntil: maybe(wholes),
  commissionChangesAt: maybe(wholes),
  votingPower: maybe(wholes),
  shards: maybe(wholes),
  reportedBy: maybe(wholes),
  atRiskEpochs: maybe(wholes),
  votes: maybe(plain({ storagePrice: amounts, writePrice: amounts, nodeCapacity: amounts })),
  description: maybe(texts),
  imageUrl: maybe(texts),
  projectUrl: maybe(texts),
})

const validators: fc.Arbitrary<Validator> = plain({
  id: texts,
  name: texts,
  status: fc.constantFrom('candidate', 'pending', 'active', 'leaving', 'inactive'),
  stake: amounts,
  nextStake: amounts,
  pendingStake: amounts,
  withdrawingStake: amounts,
  claimableStake: maybe(amounts),
  unclaimedRewards: amounts,
  commissionBps: fc.nat({ max: 10_000 }),
  nextCommissionBps: fc.nat({ max: 10_000 }),
  inNextCommittee: maybe(fc.boolean()),
  facts: maybe(facts),
})

export function snapshotsOf(network: NetworkName): fc.Arbitrary<ChainSnapshot> {
  return plain({
    network: fc.constant(network),
    chainId: texts,
    chainName: texts,
    chainEpoch: maybe(wholes),
    checkpoint: wholes,
    checkpointAt: wholes,
    epoch: plain({
      number: wholes,
      startedAt: wholes,
      durationMs: wholes,
      nextCommitteeSelected: fc.boolean(),
    }),
    token: plain({
      symbol: texts,
      decimals: fc.nat({ max: 18 }),
      coinType: texts,
      stakedTokenType: texts,
      minStake: amounts,
    }),
    system: plain({
      objectId: texts,
      initialSharedVersion: texts,
      packageId: texts,
      minValidatorJoiningStake: amounts,
      minValidatorStake: amounts,
      activeSet: fc.option(
        plain({
          members: wholes,
          minMembers: wholes,
          maxMembers: wholes,
          changesLeft: fc.option(wholes, { nil: undefined }),
        }),
        { nil: undefined },
      ),
    }),
    rewards: plain({
      perEpoch: amounts,
      shape: fc.oneof(
        fc.constant({ kind: 'equal-share' as const }),
        plain({
          kind: fc.constant('proportional' as const),
          capShare: fc.double({ min: 0, max: 1, noNaN: true }).map((share) => share + 0),
          shards: fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }),
        }),
      ),
    }),
    validators: fc.array(validators, { maxLength: 4 }),
  })
}

/** Has at least one validator. */
export function snapshotAt(network: NetworkName, checkpoint: number): ChainSnapshot {
  const some = snapshotsOf(network).filter(({ validators }) => validators.length > 0)
  const [sample] = fc.sample(some, { numRuns: 1, seed: 1 })
  if (!sample) throw new Error('fast-check returns as many samples as asked for')
  return { ...sample, checkpoint, epoch: { ...sample.epoch, number: checkpoint } }
}

export function recordOf(
  validatorId: string,
  epoch: number,
  changes: Partial<EpochRecord> = {},
): EpochRecord {
  return {
    validatorId,
    epoch,
    endedAt: 1_700_000_000_000 + epoch * 86_400_000,
    rate: { tokens: 2n ** 64n - 1n, shares: 10n ** 19n },
    stake: 12_345_678_901_234_567_890n,
    commissionBps: 500,
    commissionSource: 'read',
    performed: true,
    ...changes,
  }
}
