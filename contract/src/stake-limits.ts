import { z } from 'zod'
import { ChainIdInput } from './chain-id.ts'
import { Amount } from './fields.ts'
import { numberFrom, textUpTo, wholeFrom } from './inputs.ts'
import { LIMITS } from './limits.ts'

/** Limits that a caller sets, the same for allocating and for rebalancing. */

const Share = z
  .number({ error: 'must be a number above 0, up to 1' })
  .gt(0, { error: 'must be above 0' })
  .max(1, { error: 'must be at most 1' })

const StakeGroup = z
  .strictObject({
    name: textUpTo(64).meta({ description: 'Its name: an operator, a country, a provider.' }),
    validatorIds: z
      .array(ChainIdInput)
      .min(1, { error: 'must have at least 1 id' })
      .max(200, { error: 'must have at most 200 ids' })
      .meta({ description: 'Its validators. Unknown ids are refused.' }),
    maxShare: Share.meta({
      description: 'The largest fraction of everything staked that may lie with them together.',
    }),
  })
  .meta({ id: 'StakeGroup' })

const KeepLiquid = z
  .strictObject({
    amount: Amount.meta({ description: 'Coins that must be available.' }),
    withinEpochs: wholeFrom(0, 100).meta({
      description:
        'Epochs from asking for them until they must be there. Stake is paid out within two epochs (on Sui at once): with that or more, nothing stays unstaked.',
    }),
  })
  .meta({ id: 'KeepLiquid' })

export const stakeLimits = {
  riskAversion: numberFrom(0, LIMITS.riskAversion.max)
    .default(LIMITS.riskAversion.default)
    .meta({ description: '0: yield alone counts; higher values spread over steadier validators.' }),
  maxShare: Share.default(1).meta({
    description: 'The largest fraction of everything staked that may lie with one validator.',
  }),
  exclude: z.array(ChainIdInput).max(100, { error: 'must have at most 100 ids' }).default([]).meta({
    description:
      'Validators that must hold none of your stake: a plan takes it out. Unknown ids are refused.',
  }),
  minScore: numberFrom(0, 100)
    .default(0)
    .meta({ description: 'Validators below this score receive no stake; your stake there may stay.' }),
  maxCommission: numberFrom(0, 1).default(1).meta({
    description:
      'A fraction. Validators with a higher commission, present or announced, receive no stake; your stake there may stay.',
  }),
  groups: z
    .array(StakeGroup)
    .max(20, { error: 'must have at most 20 groups' })
    .default([])
    .meta({ description: 'Validators that belong together, and the stake that may lie with them together.' }),
  keepLiquid: KeepLiquid.optional().meta({ description: 'Coins that must be available in time.' }),
  maxTurnover: numberFrom(0, 1).default(1).meta({
    description:
      'The largest fraction of everything you hold that a plan may move. `allocate` moves nothing.',
  }),
  horizonEpochs: wholeFrom(1, LIMITS.horizonEpochs).optional().meta({
    description:
      'Epochs within which gains must repay the cost of moving; nothing moves that would arrive later. Left out: 20 on Ika and the sandbox, 60 on Sui and the Walrus testnet, 6 on Walrus.',
  }),
} as const

export const heldPositions = z
  .array(
    z.strictObject({
      stakedTokenId: ChainIdInput.meta({ description: 'Id of the staked token.' }),
      validatorId: ChainIdInput.meta({ description: 'The validator it is staked with.' }),
      principal: Amount.meta({ description: 'Staked principal; more than 0.' }),
    }),
  )
  .max(LIMITS.rebalancePositions, { error: `must have at most ${LIMITS.rebalancePositions} items` })
