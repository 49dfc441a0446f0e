import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import { Amount, DataAge, EpochNumber, IsoTime, Sender, tokenUnit } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { AwaitsApproval, approvalIdInput } from '../mandates/awaits-approval.ts'
import { ACTIONS } from '../mandates/rule-values.ts'
import { Command, CommandArgument } from './commands.ts'
import { signedIntent } from './intent.ts'
import { Simulation } from './simulation.ts'

const actionName = <const Name extends string>(name: Name) =>
  z.literal(name).meta({ description: 'What to do.' })

const Warning = z.object({
  rule: z
    .enum([
      'candidate_may_lock',
      'not_in_committee',
      'loses_seat',
      'keeps_everything',
      'commission_rises',
      'at_risk',
      'reported',
      'expires_soon',
      'chain_refuses',
    ])
    .meta({ description: 'Name of the rule.' }),
  message: z.string().meta({ description: 'What it means here, in one sentence.' }),
})

const BuiltTransaction = z
  .object({
    action: z.enum(ACTIONS).meta({
      description: 'What the parameters do. Unstaking what can be withdrawn at once gives `withdraw`.',
    }),
    target: z.string().meta({ description: 'package::module::function of the main call.' }),
    arguments: z.array(CommandArgument).meta({ description: 'Arguments of the main call.' }),
    typeArguments: z.array(z.string()).meta({ description: 'Type arguments of the main call.' }),
    commands: z.array(Command).meta({ description: 'The complete transaction, in order.' }),
    transaction: z
      .unknown()
      .optional()
      .meta({ description: 'The chain SDK’s own JSON (version 2), when `sender` was given.' }),
    summary: z.string().meta({ description: 'One sentence: what signing this does.' }),
    requiresEpochWait: z.boolean().meta({ description: 'Whether the effect waits for a coming epoch.' }),
    availableAtEpoch: EpochNumber.meta({
      description: 'The epoch in which the stake becomes active, or the coins can be withdrawn.',
    }),
    availableAt: IsoTime.meta({
      description: 'When that epoch is due to begin, or now if it has begun; the chain may be late.',
    }),
    epoch: EpochNumber,
    nextCommitteeSelected: z.boolean().meta({
      description:
        'Whether the chain has selected its next committee, which delays effects by an epoch. `availableAtEpoch` takes it into account.',
    }),
    dataAgeSeconds: DataAge,
    expiresAt: IsoTime.meta({ description: 'Do not sign it after this time; build it again.' }),
    ...tokenUnit,
    warnings: z.array(Warning).meta({ description: 'Reasons not to sign it.' }),
    simulation: Simulation,
    ...signedIntent,
  })
  .meta({ id: 'BuiltTransaction' })

const BuiltBatch = BuiltTransaction.pick({
  commands: true,
  transaction: true,
  summary: true,
  epoch: true,
  nextCommitteeSelected: true,
  dataAgeSeconds: true,
  expiresAt: true,
  symbol: true,
  decimals: true,
  simulation: true,
  intent: true,
  intentId: true,
  intentSignature: true,
})
  .extend({
    items: z
      .array(
        BuiltTransaction.pick({
          action: true,
          summary: true,
          requiresEpochWait: true,
          availableAtEpoch: true,
          availableAt: true,
        }),
      )
      .meta({ description: 'What each item does, in their order.' }),
    staked: Amount.meta({ description: 'Coins that all stakes take together.' }),
    warnings: z
      .array(
        Warning.extend({
          item: z.int().min(0).nullable().meta({
            description: 'Position of the item, from 0. Null: it concerns the whole transaction.',
          }),
        }),
      )
      .meta({ description: 'Reasons not to sign it, for its items or as a whole.' }),
  })
  .meta({ id: 'BuiltBatch' })

const JoinedIds = z
  .array(ChainIdInput)
  .min(2, { error: 'must have at least 2 ids' })
  .max(LIMITS.joinedTokens, { error: `must have at most ${LIMITS.joinedTokens} ids` })
  .meta({
    description: 'The tokens to join. The first stays, with the principal of all; the others end.',
  })

const BatchItem = z
  .discriminatedUnion('action', [
    z.strictObject({
      action: actionName('stake'),
      validatorId: ChainIdInput.meta({ description: 'The validator to stake with.' }),
      amount: Amount,
    }),
    z.strictObject({
      action: actionName('unstake'),
      stakedTokenId: ChainIdInput.meta({ description: 'The staked token.' }),
      amount: Amount.optional().meta({ description: 'Only this much of its principal; left out: all.' }),
    }),
    z.strictObject({
      action: actionName('withdraw'),
      stakedTokenId: ChainIdInput.meta({ description: 'The staked token.' }),
    }),
    z.strictObject({ action: actionName('join'), stakedTokenIds: JoinedIds }),
  ])
  .meta({ id: 'BatchItem', description: 'One action, as a call of its own takes it.' })

/** The actions of one transaction. */
export const batchItems = z
  .array(BatchItem)
  .min(1, { error: 'must have at least 1 item' })
  .max(LIMITS.batchItems, { error: `must have at most ${LIMITS.batchItems} items` })
  .refine((items) => joinedIn(items) <= LIMITS.batchJoinedTokens, {
    error: `must join at most ${LIMITS.batchJoinedTokens} tokens in all; send the others in a transaction of their own`,
  })
  .meta({ description: 'The actions, in order.' })

function joinedIn(items: readonly z.output<typeof BatchItem>[]): number {
  return items.reduce((sum, item) => sum + (item.action === 'join' ? item.stakedTokenIds.length : 0), 0)
}

const TokenId = ChainIdInput.meta({ description: 'Id of the staked token.' })

/** Optional inputs of every build. */
const signing = { sender: Sender.optional(), approvalId: approvalIdInput } as const

const gated = ['not_found', 'store_not_ready', 'rpc_unavailable'] as const

/** Call parameters for transactions. The caller signs and submits; this service never does. */
export const transactionRows = {
  buildStake: {
    tag: 'Transactions',
    summary: 'Parameters to stake',
    description: 'Call parameters that stake the amount with the validator. You sign and submit.',
    body: z
      .strictObject({
        validatorId: ChainIdInput.meta({ description: 'The validator to stake with.' }),
        amount: Amount,
        ...signing,
      })
      .meta({ id: 'StakeRequest' }),
    reply: BuiltTransaction,
    waiting: AwaitsApproval,
    isRepeatable: true,
    errors: gated,
  },
  buildUnstake: {
    tag: 'Transactions',
    summary: 'Parameters to unstake',
    description:
      'Call parameters that request the withdrawal of a stake; with `amount`, of only that much principal (split off first). Stake that is not active yet, or lies with an inactive validator, gives withdraw parameters.',
    body: z
      .strictObject({
        stakedTokenId: TokenId,
        amount: Amount.optional().meta({ description: 'Principal to unstake; left out: all.' }),
        ...signing,
      })
      .meta({ id: 'UnstakeRequest' }),
    reply: BuiltTransaction,
    waiting: AwaitsApproval,
    isRepeatable: true,
    errors: gated,
  },
  buildWithdraw: {
    tag: 'Transactions',
    summary: 'Parameters to withdraw',
    description: 'Call parameters that pay out principal and rewards once the withdrawal is due.',
    body: z.strictObject({ stakedTokenId: TokenId, ...signing }).meta({ id: 'WithdrawRequest' }),
    reply: BuiltTransaction,
    waiting: AwaitsApproval,
    isRepeatable: true,
    errors: gated,
  },
  buildJoin: {
    tag: 'Transactions',
    summary: 'Parameters to join staked tokens',
    description: `Call parameters that join 2 to ${LIMITS.joinedTokens} staked tokens into one. They must have one owner, validator, activation epoch and state; nothing is staked or paid out.`,
    body: z.strictObject({ stakedTokenIds: JoinedIds, ...signing }).meta({ id: 'JoinRequest' }),
    reply: BuiltTransaction,
    waiting: AwaitsApproval,
    isRepeatable: true,
    errors: gated,
  },
  buildBatch: {
    tag: 'Transactions',
    summary: 'Parameters for several actions at once',
    description: `Call parameters of one transaction that does up to ${LIMITS.batchItems} actions, all or none: a whole allocation, for example, with \`action\` stake and the \`validatorId\` and \`amount\` of each part. An item that the chain would refuse is named, and nothing is built.`,
    body: z
      .strictObject({
        items: batchItems,
        ...signing,
      })
      .meta({ id: 'BatchRequest' }),
    reply: BuiltBatch,
    waiting: AwaitsApproval,
    isRepeatable: true,
    errors: gated,
  },
} as const satisfies Record<string, EndpointSpec>
