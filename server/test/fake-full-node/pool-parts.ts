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

// What Ika and Walrus have in common: their staking pools descend from the same Move module.

/** The fields of a pool that both networks call alike. */
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

/** The fields of a staked token that both networks call alike. */
export const tokenFields = ({ id, principal, activationEpoch, withdrawEpoch }: DescribedToken) => ({
  id,
  state: withdrawEpoch === undefined ? { Staked: true } : { Withdrawing: { withdraw_epoch: withdrawEpoch } },
  principal: { value: principal },
  activation_epoch: activationEpoch,
})

/** The name of the one field that holds a set apart from its parent. */
export const extendedFieldName = ({ extendedFieldPackageId }: NetworkConstants) => ({
  type: `${extendedFieldPackageId}::extended_field::Key`,
  key: Uint8Array.of(0),
})

/** Who is in the active set: the committee and those that wait for a seat. */
export function activeSetOf({ validators }: DescribedNetwork) {
  const members = validators.filter((validator) => validator.inCommittee || validator.waiting)
  return { members, totalStake: members.reduce((sum, { balance }) => sum + balance, 0n) }
}

/** What a validator says about itself, with an address that nobody should follow. */
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
