import type { Client } from '@stakewright/client'

type Rate = { readonly tokens: bigint; readonly shares: bigint }

/** A stake whose withdrawal was requested: validator, principal, and the epochs between which it earned. */
export type EndedStake = {
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  readonly withdrawEpoch: number
}

/**
 * The payout of a stake, exact to the unit, from the published exchange rates of its validator alone. At activation the
 * stake buys shares of the pool at the rate of that epoch, and it sells them at the rate of its withdraw epoch. Both
 * divisions round down, as on chain, and the payout is at least the principal.
 */
export async function expectedPayout(client: Client, stake: EndedStake): Promise<bigint> {
  const bought = await rateAtStartOf(client, stake.validatorId, stake.activationEpoch)
  const sold = await rateAtStartOf(client, stake.validatorId, stake.withdrawEpoch)
  const shares = (stake.principal * bought.shares) / bought.tokens
  const rewards = (shares * sold.tokens) / sold.shares - stake.principal
  return rewards > 0n ? stake.principal + rewards : stake.principal
}

/** The rate at the start of an epoch is the rate at the end of the one before. */
async function rateAtStartOf(client: Client, validatorId: string, epoch: number): Promise<Rate> {
  const { data } = await client.validatorApyHistory({ id: validatorId, period: 'all', limit: 365 })
  const rate = data.find((item) => item.epoch === epoch - 1)?.exchangeRate
  if (!rate) throw new Error(`There is no rate for the start of epoch ${epoch}.`)
  return { tokens: BigInt(rate.tokens), shares: BigInt(rate.shares) }
}
