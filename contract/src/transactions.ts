import { z } from 'zod'
import { ChainId, ChainIdInput } from './chain-id.ts'
import type { EndpointSpec, ReadOnly } from './endpoint.ts'
import { Amount, DataAge, EpochNumber, IsoTime, Sender } from './fields.ts'
import { AgentKey, AgentName } from './identity/shapes.ts'
import { wholeFrom } from './inputs.ts'
import { LIMITS } from './limits.ts'

const kind = <const Kind extends string>(name: Kind) =>
  z.literal(name).meta({ description: 'Which of the kinds this is.' })

const CommandId = z.string().max(64).meta({ description: 'Name for later commands to refer to its result.' })

const PURE_TYPE = { description: 'Move type of the value.' }

const PureArgument = z.discriminatedUnion('type', [
  z.strictObject({ kind: kind('pure'), type: z.literal('u64').meta(PURE_TYPE), value: Amount }),
  z.strictObject({
    kind: kind('pure'),
    type: z.enum(['id', 'address']).meta(PURE_TYPE),
    value: ChainIdInput,
  }),
])

const CommandArgument = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: kind('sharedObject'),
      objectId: ChainIdInput,
      initialSharedVersion: z
        .string()
        .regex(/^[0-9]{1,20}$/)
        .meta({ description: 'Version at which the object was shared.' }),
      mutable: z.boolean().meta({ description: 'Whether the call changes the object.' }),
    }),
    z.strictObject({ kind: kind('ownedObject'), objectId: ChainIdInput }),
    PureArgument,
    z.strictObject({
      kind: kind('result'),
      of: z.string().max(64).meta({ description: 'The `id` of the command whose result it is.' }),
    }),
  ])
  .meta({
    id: 'CommandArgument',
    description: 'An object, a plain value, or the result of an earlier command.',
  })

const Command = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: kind('coin'),
      id: CommandId,
      coinType: z.string().max(256).meta({ description: 'Move type of the coin.' }),
      amount: Amount,
    }),
    z.strictObject({
      kind: kind('moveCall'),
      id: CommandId,
      target: z.string().max(256).meta({ description: 'package::module::function.' }),
      typeArguments: z.array(z.string().max(256)).max(8).meta({ description: 'Type arguments of the call.' }),
      arguments: z.array(CommandArgument).max(16).meta({ description: 'Arguments of the call, in order.' }),
    }),
    z.strictObject({
      kind: kind('transferToSender'),
      objects: z.array(CommandArgument).max(16).meta({ description: 'What goes to the sender.' }),
    }),
  ])
  .meta({
    id: 'Command',
    description: 'One step of the transaction: a coin to provide, a call, or a transfer.',
  })

/** An argument of a call. */
export type CommandArgument = ReadOnly<z.output<typeof CommandArgument>>
/** One step of a programmable transaction, free of any SDK. */
export type Command = ReadOnly<z.output<typeof Command>>

const BuiltTransaction = z
  .object({
    action: z.enum(['stake', 'unstake', 'withdraw']).meta({
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
      description: 'When the stake is active, or the funds can be had.',
    }),
    availableAt: IsoTime.meta({
      description: 'When that epoch is due, at the earliest now; the chain may be late.',
    }),
    epoch: EpochNumber,
    nextCommitteeSelected: z.boolean().meta({
      description:
        'Whether the chain has selected its next committee, which puts effects off by an epoch. `availableAtEpoch` rests on it.',
    }),
    dataAgeSeconds: DataAge,
    expiresAt: IsoTime.meta({ description: 'Build anew after this: the rules may have changed.' }),
  })
  .meta({ id: 'BuiltTransaction' })

const gated = ['store_not_ready', 'rpc_unavailable'] as const

/** Call parameters for transactions. The caller signs and submits; this service never does. */
export const transactionRows = {
  buildStake: {
    tag: 'Transactions',
    summary: 'Parameters to stake',
    description: 'Call parameters that stake the amount with the validator. You sign and submit.',
    body: z
      .strictObject({ validatorId: ChainIdInput, amount: Amount, sender: Sender.optional() })
      .meta({ id: 'StakeRequest' }),
    reply: BuiltTransaction,
    errors: gated,
  },
  buildUnstake: {
    tag: 'Transactions',
    summary: 'Parameters to unstake',
    description:
      'Call parameters that ask for a stake back; with `amount`, only that much (split off first). Stake that is not active yet, or sits on an inactive validator, gives withdraw parameters.',
    body: z
      .strictObject({ stakedTokenId: ChainIdInput, amount: Amount.optional(), sender: Sender.optional() })
      .meta({ id: 'UnstakeRequest' }),
    reply: BuiltTransaction,
    errors: gated,
  },
  buildWithdraw: {
    tag: 'Transactions',
    summary: 'Parameters to withdraw',
    description: 'Call parameters that pay out principal and rewards once the withdrawal is due.',
    body: z
      .strictObject({ stakedTokenId: ChainIdInput, sender: Sender.optional() })
      .meta({ id: 'WithdrawRequest' }),
    reply: BuiltTransaction,
    errors: gated,
  },
} as const satisfies Record<string, EndpointSpec>

/** The simulated chain only. */
export const sandboxRows = {
  sandboxKey: {
    tag: 'Sandbox',
    summary: 'A builder key for the simulated chain',
    description: `Returns an active builder key at once: no mail, no verification. Only where the network is the sandbox. Each address may have ${LIMITS.sandboxKeysPerIpHour} keys an hour.`,
    body: z.strictObject({ agentName: AgentName }).meta({ id: 'SandboxKeyRequest' }),
    status: 201,
    reply: AgentKey,
    errors: ['rate_limited', 'store_not_ready'],
  },
  sandboxExecute: {
    tag: 'Sandbox',
    summary: 'Run commands on the simulated chain',
    description: 'Executes built `commands` as `sender`, all or nothing, by the contract’s rules.',
    body: z
      .strictObject({
        sender: ChainIdInput,
        commands: z
          .array(Command)
          .min(1, { error: 'must have at least 1 command' })
          .max(32, { error: 'must have at most 32 commands' })
          .meta({ description: 'Commands as the transaction endpoints return them, in order.' }),
      })
      .meta({ id: 'ExecuteRequest' }),
    reply: z
      .object({
        status: z
          .enum(['done', 'aborted'])
          .meta({ description: 'aborted: the contract refused, and nothing changed.' }),
        epoch: EpochNumber,
        created: z
          .array(
            z.object({
              stakedTokenId: ChainId,
              validatorId: ChainId,
              principal: Amount,
              activationEpoch: EpochNumber,
            }),
          )
          .meta({ description: 'Tokens that were made.' }),
        changed: z
          .array(
            z.object({
              stakedTokenId: ChainId,
              withdrawEpoch: EpochNumber.nullable().meta({
                description: 'The epoch from which it can be withdrawn. Null: not requested.',
              }),
            }),
          )
          .meta({ description: 'Tokens whose state changed.' }),
        consumed: z.array(ChainId).meta({ description: 'Tokens that no longer exist.' }),
        coinsPaidOut: Amount,
        abort: z
          .object({
            module: z.string().meta({ description: 'Module that aborted.' }),
            code: z.int().meta({ description: 'The abort code of the contract.' }),
            name: z.string().meta({ description: 'Name of the abort code.' }),
            message: z.string().meta({ description: 'What the code means.' }),
          })
          .optional()
          .meta({ description: 'The contract’s refusal; nothing changed.' }),
      })
      .meta({ id: 'ExecuteResult' }),
  },
  sandboxAdvance: {
    tag: 'Sandbox',
    summary: 'Move the simulated chain’s time',
    description: 'Completes the present epoch and `epochs` − 1 more; the new epoch starts now.',
    body: z
      .strictObject({
        epochs: wholeFrom(1, 100).default(1).meta({ description: 'How many epochs to complete.' }),
      })
      .meta({ id: 'AdvanceRequest' }),
    bodyOptional: true,
    reply: z.object({ epoch: EpochNumber }).meta({ id: 'AdvanceResult' }),
  },
} as const satisfies Record<string, EndpointSpec>
