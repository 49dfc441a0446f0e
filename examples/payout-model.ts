import type { Client } from '@stakewright/client'

type Rate = { readonly tokens: bigint; readonly shares: bigint }

/** A stake that has been asked back: what was staked where, and between which epochs it earned. */
export type EndedStake = {
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  readonly withdrawEpoch: number
}

/**
 * What a stake must pay, to the unit, from nothing but the published exchange rates of its validator: on becoming
 * active it bought shares of the pool at the rate of that moment, and it sells them at the rate of its withdraw epoch.
 * Both divisions round down, as they do on chain, and it never pays less than was staked.
 */
export async function expectedPayout(client: Client, stake: EndedStake): Promise<bigint> {
  const bought = await rateAtStartOf(client, stake.validatorId, stake.activationEpoch)
  const sold = await rateAtStartOf(client, stake.validatorId, stake.withdrawEpoch)
  const shares = (stake.principal * bought.shares) / bought.tokens
  const rewards = (shares * sold.tokens) / sold.shares - stake.principal
  return rewards > 0n ? stake.principal + rewards : stake.principal
}

/** An epoch starts with the rate that the one before has ended with. */
async function rateAtStartOf(client: Client, validatorId: string, epoch: number): Promise<Rate> {
  const { data } = await client.validatorApyHistory({ id: validatorId, period: 'all', limit: 365 })
  const rate = data.find((item) => item.epoch === epoch - 1)?.exchangeRate
  if (!rate) throw new Error(`There is no rate for the start of epoch ${epoch}.`)
  return { tokens: BigInt(rate.tokens), shares: BigInt(rate.shares) }
}
