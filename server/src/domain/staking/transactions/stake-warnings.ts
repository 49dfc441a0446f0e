import type { ChainSnapshot, Validator } from '#ports/chain/staking-chain.ts'
import { NETWORK_RULES } from '../../../networks.ts'
import { printAmount } from '../../amount.ts'
import { printPercent } from '../../percent.ts'

/** A reason not to sign a transaction. */
export type Warning = { readonly rule: WarningRule; readonly message: string }

type WarningRule = StakeRule | 'expires_soon' | 'chain_refuses'

type StakeRule = keyof typeof RULES

type Rule = (validator: Validator, snapshot: ChainSnapshot) => string | false

/** The rules by name. Each returns its message, or false if it does not apply. */
const RULES = {
  candidate_may_lock: ({ status }, { network }) =>
    status === 'candidate' &&
    NETWORK_RULES[network].candidateMayLock &&
    'The validator is a candidate: if it is removed before it ever joins, the contract cannot pay this stake out.',
  not_in_committee: ({ status, nextStake }, { token, system: { minValidatorJoiningStake: needed } }) => {
    if (status === 'active') return false
    const shown = (amount: bigint) => printAmount(amount, token.decimals, token.symbol)
    const isShort = status === 'candidate' && nextStake < needed
    const short = isShort
      ? `, which takes ${shown(needed)}; it has ${shown(nextStake)} without this stake`
      : ''
    return `The validator is ${status}: the stake earns nothing until it has a seat${short}.`
  },
  loses_seat: ({ inNextCommittee }) =>
    inNextCommittee === false && 'The validator has no seat in the next committee.',
  keeps_everything: ({ commissionBps, nextCommissionBps }) =>
    Math.max(commissionBps, nextCommissionBps) === 10_000 && 'The validator keeps all rewards for itself.',
  commission_rises: ({ commissionBps, nextCommissionBps, facts }) =>
    nextCommissionBps > commissionBps &&
    `The commission rises from ${printPercent(commissionBps / 100)} to ${printPercent(nextCommissionBps / 100)}${
      facts?.commissionChangesAt === undefined ? '' : ` in epoch ${facts.commissionChangesAt}`
    }.`,
  at_risk: ({ facts }) =>
    (facts?.atRiskEpochs ?? 0) > 0 &&
    `The validator has had too little stake for its seat for ${facts?.atRiskEpochs} epochs.`,
  reported: ({ facts }) =>
    (facts?.reportedBy ?? 0) > 0 &&
    `${facts?.reportedBy} of the other validators report this one as failing in this epoch.`,
} as const satisfies Record<string, Rule>

export function stakeWarnings(snapshot: ChainSnapshot, validator: Validator): readonly Warning[] {
  return Object.entries<Rule>(RULES).flatMap(([rule, applies]) => {
    const message = applies(validator, snapshot)
    return message ? [{ rule: toRule(rule), message }] : []
  })
}

/** Sound: the names are the keys of the table. */
const toRule = (name: string): StakeRule => name as StakeRule
