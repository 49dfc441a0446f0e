/** The contract's refusals, by module and code, with what the caller can do about each. */
const ABORTS = {
  notActive: {
    module: 'validator',
    code: 6,
    name: 'EValidatorIsNotActive',
    message: 'This validator is leaving or has left and takes no new stake: choose another one.',
  },
  zeroStake: {
    module: 'validator',
    code: 7,
    name: 'EZeroStake',
    message: 'The amount is zero: name at least the minimum stake.',
  },
  notStaked: {
    module: 'validator',
    code: 8,
    name: 'ENotStaked',
    message: 'Withdrawal of this stake was requested before: wait for its withdraw epoch, then withdraw it.',
  },
  otherValidator: {
    module: 'validator',
    code: 9,
    name: 'EIncorrectValidatorId',
    message: 'This stake belongs to another validator: use the validator that it names.',
  },
  notWithdrawing: {
    module: 'validator',
    code: 10,
    name: 'ENotWithdrawing',
    message:
      'This stake is active: request its withdrawal first, then withdraw once its withdraw epoch has come.',
  },
  tooEarly: {
    module: 'validator',
    code: 11,
    name: 'EWithdrawEpochNotReached',
    message: 'The withdraw epoch has not come yet: try again then.',
  },
  notActivated: {
    module: 'validator',
    code: 12,
    name: 'EActivationEpochNotReached',
    message: 'The stake is not active yet: try again from its activation epoch on.',
  },
  withdrawDirectly: {
    module: 'validator',
    code: 13,
    name: 'EWithdrawDirectly',
    message: 'This stake needs no request: withdraw it directly.',
  },
  zeroShares: {
    module: 'validator',
    code: 16,
    name: 'EZeroShares',
    message: 'The stake is worth less than one share: join it with another one first.',
  },
  /** A subtraction below zero is a status of the virtual machine; the contract has no code for it. */
  underflow: {
    module: 'validator',
    code: 4017,
    name: 'ARITHMETIC_ERROR',
    message:
      'The withdrawals exceed what this validator holds, because it was removed from the set and earlier withdrawals were already paid. The contract cannot pay out the whole stake; a smaller part may still be withdrawn.',
  },
  overflow: {
    module: 'pending_active_set',
    code: 4017,
    name: 'ARITHMETIC_ERROR',
    message:
      'The stake of this validator and of the whole set are more together than the contract can count: stake less, or with a smaller validator.',
  },
  locked: {
    module: 'option',
    code: 262_145,
    name: 'EOPTION_NOT_SET',
    message:
      'This validator was removed before it ever validated, and the contract pays nothing out of it: the stake stays where it is.',
  },
  unlikeStakes: {
    module: 'staked_token',
    code: 1,
    name: 'EMetadataMismatch',
    message: 'Only stakes of one validator, activation epoch and state can be joined: choose such a pair.',
  },
  invalidSplit: {
    module: 'staked_token',
    code: 2,
    name: 'EInvalidAmount',
    message: 'A split takes less than the whole principal: name a smaller amount, or use the stake as it is.',
  },
  alreadyWithdrawing: {
    module: 'staked_token',
    code: 3,
    name: 'EAlreadyWithdrawing',
    message: 'This stake is being withdrawn: wait for its withdraw epoch.',
  },
  smallStake: {
    module: 'staked_token',
    code: 4,
    name: 'EStakeBelowThreshold',
    message: 'Each staked token holds at least 1 token: leave at least that much on both sides.',
  },
  unknownValidator: {
    module: 'validator_set',
    code: 2,
    name: 'ENotAValidator',
    message: 'There is no validator with this id: take one from the list of validators.',
  },
  notCandidate: {
    module: 'validator_set',
    code: 3,
    name: 'EValidatorNotCandidate',
    message: 'Only a candidate can ask to validate: this validator did so before.',
  },
  belowMinimum: {
    module: 'validator_set',
    code: 4,
    name: 'EStakingBelowThreshold',
    message: 'A stake is at least 1 token: name a larger amount.',
  },
  alreadyRemoved: {
    module: 'validator_set',
    code: 5,
    name: 'EValidatorAlreadyRemoved',
    message: 'This validator has left before, and nothing brings it back.',
  },
  cannotJoin: {
    module: 'validator_set',
    code: 8,
    name: 'ECannotJoinActiveSet',
    message: 'The validator has less than the joining stake: it needs more stake first.',
  },
  tooFewValidators: {
    module: 'pending_active_set',
    code: 3,
    name: 'EBelowMinValidatorCount',
    message: 'This would take the validator out of a set that is already at its smallest: withdraw less.',
  },
  tooManyChanges: {
    module: 'pending_active_set',
    code: 4,
    name: 'EMaxValidatorChangeReached',
    message: 'This would change the validator set more often than one epoch allows: try again next epoch.',
  },
  supplyExhausted: {
    module: 'balance',
    code: 1,
    name: 'EOverflow',
    message: 'The sandbox has no more coins to lend: ask for a smaller amount, or withdraw stake first.',
  },
} as const satisfies Record<string, Refusal>

type Refusal = {
  readonly module: string
  readonly code: number
  readonly name: string
  readonly message: string
}

type AbortKey = keyof typeof ABORTS

/** Ends a transaction without effect, as the contract does. */
export class Abort extends Error {
  readonly refusal: Refusal

  constructor(key: AbortKey, detail = '') {
    const row = ABORTS[key]
    const message = detail === '' ? row.message : `${row.message} ${detail}`
    super(message)
    this.name = 'Abort'
    this.refusal = { ...row, message }
  }
}

export function abortUnless(condition: boolean, key: AbortKey, detail?: string): asserts condition {
  if (!condition) throw new Abort(key, detail)
}
