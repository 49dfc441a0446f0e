import { selfDescription } from '#adapters/sui/layouts/move-layouts.ts'
import type { NetworkConstants } from '#adapters/sui/networks/networks.ts'
import {
  bag,
  type DescribedNetwork,
  type DescribedToken,
  type DescribedValidator,
  fieldObject,
  partOf,
  type WorldObject,
} from './world.ts'

// Common parts of Ika and Walrus: their staking pools descend from the same Move module.

/** Fields of a pool that have the same names on both networks. */
export function poolFields(validator: DescribedValidator, epoch: number) {
  const { id } = validator
  return {
    id,
    latest_epoch: epoch,
    num_shares: validator.shares,
    pending_shares_withdraw: validator.pendingSharesWithdraw ?? [],
    pre_active_withdrawals: validator.preActiveWithdrawals ?? [],
    pending_commission_rate: validator.pendingCommission ?? [],
    commission_rate: validator.commissionBps,
    exchange_rates: { id: partOf(id, 'rates'), size: validator.rates.length },
    pending_stake: validator.pendingStake ?? [],
    rewards_pool: { value: validator.rewardsPool },
    commission: { value: 12_345n },
    extra_fields: bag(id, 'extra'),
  }
}

/** Fields of a staked token that have the same names on both networks. */
export const tokenFields = ({ id, principal, activationEpoch, withdrawEpoch }: DescribedToken) => ({
  id,
  state: withdrawEpoch === undefined ? { Staked: true } : { Withdrawing: { withdraw_epoch: withdrawEpoch } },
  principal: { value: principal },
  activation_epoch: activationEpoch,
})

/** Name of the dynamic field of an `ExtendedField`, which stores one large value outside its parent object. */
export const extendedFieldName = ({ extendedFieldPackageId }: NetworkConstants) => ({
  type: `${extendedFieldPackageId}::extended_field::Key`,
  key: Uint8Array.of(0),
})

/** Members of the active set: the committee and the validators that wait for a seat. */
export function activeSetOf({ validators }: DescribedNetwork) {
  const members = validators.filter((validator) => validator.inCommittee || validator.waiting)
  return { members, totalStake: members.reduce((sum, { balance }) => sum + balance, 0n) }
}

/** A validator's description of itself, with a project URL that must not be followed. */
export function descriptionObject(
  { id: validatorId, name }: DescribedValidator,
  constants: NetworkConstants,
): WorldObject {
  return fieldObject(
    partOf(validatorId, 'metadata'),
    extendedFieldName(constants),
    selfDescription,
    (id) => ({
      id,
      name: false,
      value: {
        image_url: 'https://validator.example/logo.png',
        project_url: 'javascript:alert(1)',
        description: `This is\n${name}.`,
        extra_fields: [{ key: 'region', value: 'north' }],
      },
    }),
  )
}
