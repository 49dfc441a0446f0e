import {
  anything,
  base64,
  type Check,
  digest,
  eachField,
  fields,
  flag,
  id,
  kinds,
  list,
  oneOrList,
  only,
  optional,
  orNull,
  pair,
  text,
  u16,
  u32,
  u64,
} from './checks.ts'

/**
 * A strict schema of the SDK's JSON of version 2, as `toJSON` and `getData` write it. The SDK's own parser is more
 * lenient: it accepts unknown fields, and spellings of numbers that other parsers read differently.
 */

const argument = kinds(
  { GasCoin: only(true), Input: u16, Result: u16, NestedResult: pair(u16) },
  // The SDK notes how it classifies the input.
  { Input: { type: optional(only('pure', 'object', 'withdrawal')) } },
)

const reference = fields({ objectId: id, version: u64, digest })

const input = kinds({
  Object: kinds({
    ImmOrOwnedObject: reference,
    SharedObject: fields({ objectId: id, initialSharedVersion: u64, mutable: flag }),
    Receiving: reference,
  }),
  Pure: fields({ bytes: base64 }),
  UnresolvedPure: fields({ value: anything }),
  UnresolvedObject: fields({
    objectId: id,
    version: optional(u64),
    digest: optional(digest),
    initialSharedVersion: optional(u64),
    mutable: optional(flag),
  }),
  FundsWithdrawal: fields({
    reservation: kinds({ MaxAmountU64: u64 }),
    typeArg: kinds({ Balance: text }),
    withdrawFrom: kinds({
      Sender: only(true),
      Sponsor: only(true),
      SenderAllowance: fields({ funder: id, allowance: id }),
    }),
  }),
})

const packageOf = { modules: list(base64), dependencies: list(id) }

const command = kinds({
  MoveCall: fields({
    package: id,
    module: text,
    function: text,
    typeArguments: list(text),
    arguments: list(argument),
    // The parameter types of the function, which the SDK reads from the chain.
    _argumentTypes: optional(
      list(fields({ reference: orNull(only('mutable', 'immutable', 'unknown')), body: anything })),
    ),
  }),
  TransferObjects: fields({ objects: list(argument), address: argument }),
  SplitCoins: fields({ coin: argument, amounts: list(argument) }),
  MergeCoins: fields({ destination: argument, sources: list(argument) }),
  MakeMoveVec: fields({ type: orNull(text), elements: list(argument) }),
  Publish: fields(packageOf),
  Upgrade: fields({ ...packageOf, package: id, ticket: argument }),
  $Intent: fields({ name: text, inputs: eachField(oneOrList(argument)), data: eachField(anything) }),
})

const during = {
  minEpoch: orNull(u64),
  maxEpoch: orNull(u64),
  minTimestamp: orNull(u64),
  maxTimestamp: orNull(u64),
  chain: text,
  nonce: u32,
}

export const checkJson: Check = fields({
  version: only(2),
  sender: optional(id),
  expiration: optional(
    kinds({
      None: only(true),
      Epoch: u64,
      ValidDuring: fields(during),
      Validity: fields({
        ...during,
        allowedProposers: orNull(fields({ epoch: u64, proposers: list(u32) })),
      }),
    }),
  ),
  gasData: fields({
    budget: orNull(u64),
    price: orNull(u64),
    owner: orNull(id),
    payment: orNull(list(reference)),
  }),
  inputs: list(input),
  commands: list(command),
  digest: optional(text),
})
