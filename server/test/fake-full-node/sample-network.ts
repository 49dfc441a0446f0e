import { type DescribedNetwork, idOf, type Rate } from './world.ts'

const TOKEN = 1_000_000_000n
const DAY = 86_400_000
export const EPOCH = 40
export const STARTED_AT = Date.UTC(2026, 8, 1)
export const NOW = STARTED_AT + DAY / 4
export const OWNER = idOf(0xa11ce)
export const STRANGER = idOf(0xb0b)

export const VALIDATORS = {
  steady: idOf(0x101),
  lapsed: idOf(0x102),
  greedy: idOf(0x103),
  joining: idOf(0x104),
  left: idOf(0x105),
  dropped: idOf(0x106),
  candidate: idOf(0x107),
} as const

export const TOKENS = {
  earning: idOf(0x201),
  withdrawing: idOf(0x202),
  preActive: idOf(0x203),
  ofLeft: idOf(0x204),
} as const

/** Rates of a pool that gains 1% of its first worth per epoch; missed epochs have no rate. */
function ratesOf(from: number, to: number, missed: readonly number[] = []): readonly Rate[] {
  const epochs = Array.from({ length: to - from + 1 }, (_, step) => from + step)
  return epochs
    .filter((epoch) => !missed.includes(epoch))
    .map((epoch) => ({
      epoch,
      tokens: (1_000n + 10n * BigInt(epoch - from)) * TOKEN,
      shares: 1_000n * TOKEN,
    }))
}

/** A network with one validator of each kind, and an owner with one token of each kind. */
export function sampleNetwork(changes: Partial<DescribedNetwork> = {}): DescribedNetwork {
  const active = {
    phase: 'active',
    activationEpoch: 10,
    rewardsPool: 290n * TOKEN,
    commissionBps: 500,
  } as const
  return {
    epoch: EPOCH,
    startedAt: STARTED_AT,
    durationMs: DAY,
    nextCommitteeSelected: false,
    packageId: idOf(0x900d),
    checkpoint: 5_000,
    checkpointAt: NOW - 400,
    reported: [VALIDATORS.lapsed],
    validators: [
      {
        ...active,
        id: VALIDATORS.steady,
        name: 'Steady',
        inCommittee: true,
        inNextCommittee: true,
        balance: 1_300n * TOKEN,
        shares: 1_000n * TOKEN,
        rates: ratesOf(10, EPOCH),
        pendingStake: [{ key: EPOCH + 1, value: 70n * TOKEN }],
        preActiveWithdrawals: [{ key: EPOCH + 1, value: 13n * TOKEN }],
        pendingCommission: [{ key: EPOCH + 2, value: 700n }],
      },
      {
        ...active,
        id: VALIDATORS.lapsed,
        name: 'Lapsed',
        inCommittee: true,
        inNextCommittee: true,
        balance: 1_300n * TOKEN,
        shares: 1_000n * TOKEN,
        rates: ratesOf(10, EPOCH, [36, 37]),
      },
      {
        ...active,
        id: VALIDATORS.greedy,
        name: 'Greedy\u0000\nname',
        inCommittee: true,
        inNextCommittee: false,
        commissionBps: 10_000,
        balance: 1_000n * TOKEN,
        shares: 1_000n * TOKEN,
        rates: ratesOf(10, EPOCH).map((rate) => ({ ...rate, tokens: 1_000n * TOKEN })),
      },
      {
        ...active,
        id: VALIDATORS.joining,
        name: 'Joining',
        inCommittee: false,
        inNextCommittee: true,
        waiting: true,
        activationEpoch: EPOCH + 1,
        balance: 0n,
        shares: 0n,
        rewardsPool: 0n,
        pendingStake: [{ key: EPOCH + 1, value: 40n * TOKEN }],
        rates: [],
      },
      {
        ...active,
        id: VALIDATORS.left,
        name: 'Left',
        phase: 'withdrawing',
        lastEpoch: 30,
        inCommittee: false,
        balance: 1_200n * TOKEN,
        shares: 1_000n * TOKEN,
        rates: ratesOf(10, 30),
      },
      {
        ...active,
        id: VALIDATORS.dropped,
        name: 'Dropped',
        inCommittee: false,
        balance: 1_100n * TOKEN,
        shares: 1_000n * TOKEN,
        rates: ratesOf(10, 20),
        pendingStake: [{ key: EPOCH - 2, value: 5n * TOKEN }],
      },
      {
        ...active,
        id: VALIDATORS.candidate,
        name: 'Candidate',
        phase: 'pre-active',
        inCommittee: false,
        activationEpoch: EPOCH + 9,
        balance: 0n,
        shares: 0n,
        rewardsPool: 0n,
        rates: [],
      },
    ],
    tokens: [
      {
        id: TOKENS.earning,
        owner: OWNER,
        validatorId: VALIDATORS.steady,
        principal: 100n * TOKEN,
        activationEpoch: 20,
      },
      {
        id: TOKENS.withdrawing,
        owner: OWNER,
        validatorId: VALIDATORS.lapsed,
        principal: 50n * TOKEN,
        activationEpoch: 36,
        withdrawEpoch: EPOCH - 1,
      },
      {
        id: TOKENS.preActive,
        owner: OWNER,
        validatorId: VALIDATORS.steady,
        principal: 70n * TOKEN,
        activationEpoch: EPOCH + 1,
      },
      {
        id: TOKENS.ofLeft,
        owner: OWNER,
        validatorId: VALIDATORS.left,
        principal: 10n * TOKEN,
        activationEpoch: 15,
      },
    ],
    ...changes,
  }
}
