import { z } from 'zod'
import { ChainIdInput } from '../chain-id.ts'
import type { ReadOnly } from '../endpoint.ts'
import { Amount } from '../fields.ts'

const kind = <const Kind extends string>(name: Kind) =>
  z.literal(name).meta({ description: 'Which of the kinds this is.' })

const CommandId = z
  .string()
  .max(64)
  .meta({ description: 'Name by which later commands refer to its result.' })

const PURE_TYPE = { description: 'Move type of the value.' }

const PureArgument = z.discriminatedUnion('type', [
  z.strictObject({ kind: kind('pure'), type: z.literal('u64').meta(PURE_TYPE), value: Amount }),
  z.strictObject({
    kind: kind('pure'),
    type: z.enum(['id', 'address']).meta(PURE_TYPE),
    value: ChainIdInput,
  }),
])

export const CommandArgument = z
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

export const Command = z
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
