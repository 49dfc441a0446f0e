/** Abort codes of the contracts by module; the numbers differ between networks. */

type Abort = readonly [name: string, message: string]
type Aborts = Readonly<Record<string, Readonly<Record<number, Abort>>>>

const LEAVING = 'The validator is leaving or has left and takes no new stake: choose another one.'
const ZERO_STAKE = 'The amount is zero: name at least the minimum stake.'
const WITHDRAWING =
  'Withdrawal of this stake was requested before: wait for its withdraw epoch, then withdraw it.'
const OTHER_VALIDATOR = 'This stake belongs to another validator.'
const NOT_REQUESTED =
  'This stake is active: request its withdrawal first, then withdraw once its withdraw epoch has come.'
const TOO_EARLY = 'The withdraw epoch has not come yet: try again then.'
const NOT_ACTIVE_YET = 'The stake is not active yet: try again from its activation epoch on.'
const WITHDRAW_DIRECTLY = 'This stake needs no request: withdraw it directly.'
const ZERO_SHARES = 'The stake is worth less than one share: join it with another one first.'
const UNLIKE = 'Only stakes of one validator, activation epoch and state can be joined.'
const INVALID_SPLIT = 'A split takes less than the whole principal: name a smaller amount.'
const BELOW_MINIMUM = 'A stake is at least 1 token, and so is each part of one: name a larger amount.'
const UNKNOWN = 'The chain knows no validator with this id: take one from the list of validators.'
const STALE_PACKAGE = 'The contract was upgraded since: build the transaction anew.'

/** Codes 7 to 13 are the same in Ika's `validator` and in Walrus's `staking_pool`. */
const POOL: Readonly<Record<number, Abort>> = {
  7: ['EZeroStake', ZERO_STAKE],
  8: ['ENotStaked', WITHDRAWING],
  10: ['ENotWithdrawing', NOT_REQUESTED],
  11: ['EWithdrawEpochNotReached', TOO_EARLY],
  12: ['EActivationEpochNotReached', NOT_ACTIVE_YET],
  13: ['EWithdrawDirectly', WITHDRAW_DIRECTLY],
}

const IKA: Aborts = {
  validator: {
    ...POOL,
    6: ['EValidatorIsNotActive', LEAVING],
    9: ['EIncorrectValidatorId', OTHER_VALIDATOR],
    16: ['EZeroShares', ZERO_SHARES],
  },
  staked_ika: {
    1: ['EMetadataMismatch', UNLIKE],
    2: ['EInvalidAmount', INVALID_SPLIT],
    3: ['EAlreadyWithdrawing', WITHDRAWING],
    4: ['EStakeBelowThreshold', BELOW_MINIMUM],
  },
  validator_set: { 2: ['ENotAValidator', UNKNOWN], 4: ['EStakingBelowThreshold', BELOW_MINIMUM] },
  pending_active_set: {
    3: [
      'EBelowMinValidatorCount',
      'This would take the validator out of a set that is already at its smallest: withdraw less.',
    ],
    4: [
      'EMaxValidatorChangeReached',
      'This would change the validator set more often than one epoch allows: try again next epoch.',
    ],
  },
  system: { 0: ['EWrongInnerVersion', STALE_PACKAGE] },
}

const WALRUS: Aborts = {
  staking_pool: {
    ...POOL,
    6: ['EPoolIsNotActive', LEAVING],
    9: ['EIncorrectPoolId', OTHER_VALIDATOR],
    18: ['EZeroShares', ZERO_SHARES],
  },
  staked_wal: {
    1: ['EMetadataMismatch', UNLIKE],
    2: ['EInvalidAmount', INVALID_SPLIT],
    6: ['EAlreadyWithdrawing', WITHDRAWING],
    7: ['EStakeBelowThreshold', BELOW_MINIMUM],
  },
  staking_inner: { 8: ['EPoolNotFound', UNKNOWN] },
  staking: { 1: ['EWrongVersion', STALE_PACKAGE] },
}

const SUI: Aborts = {
  validator_set: { 4: ['ENotAValidator', UNKNOWN], 10: ['EStakingBelowThreshold', BELOW_MINIMUM] },
  staking_pool: {
    10: ['EDelegationToInactivePool', LEAVING],
    12: ['EIncompatibleStakedSui', UNLIKE],
    18: ['EStakedSuiBelowThreshold', BELOW_MINIMUM],
  },
}

const BY_NETWORK = {
  ika: IKA,
  'ika-testnet': IKA,
  walrus: WALRUS,
  'walrus-testnet': WALRUS,
  sui: SUI,
  'sui-testnet': SUI,
} as const

/** The contract's name for the code, and what the caller can do about it. */
export function explainAbort(
  network: keyof typeof BY_NETWORK,
  module: string,
  code: number,
): { readonly name: string | undefined; readonly message: string } {
  const [name, message] = BY_NETWORK[network][module]?.[code] ?? []
  return { name, message: message ?? refusedWith(String(code), module) }
}

export const refusedWith = (code: string, module: string): string =>
  `The contract refuses it with code ${code} of its module ${module}.`

export const refusedElsewhere = (code: number, module: string): string =>
  `Another package than the staking contract refuses it, with code ${code} of its module ${module}.`
