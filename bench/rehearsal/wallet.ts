import assert from 'node:assert/strict'
import type { Client, Reply } from '@stakewright/client'

export type Position = Reply<'positions'>['positions'][number]
type Plan = Reply<'planRebalance'>
type Step = Plan['steps'][number]
type Built = Reply<'buildStake'>
export type Part = { readonly validatorId: string; readonly amount: string }

/** The epochs and amounts of a followed plan. */
export type FollowedPlan = {
  readonly startedAtEpoch: number
  /** The first epoch in which all of it is active again. */
  readonly completeAtEpoch: number
  readonly unstaked: bigint
  readonly staked: bigint
  readonly payouts: readonly Payout[]
}

/** A withdrawn stake, and the principal and rewards that the chain paid out for it. */
export type Payout = {
  readonly validatorId: string
  readonly principal: bigint
  readonly activationEpoch: number
  readonly withdrawEpoch: number
  readonly paidOut: bigint
}

/** An address on the simulated chain that executes only the commands that the service builds. */
export type Wallet = {
  stake(parts: readonly Part[]): Promise<void>
  /** Executes the steps in order and waits for epochs where a step requires it. */
  follow(plan: Plan): Promise<FollowedPlan>
  positions(): Promise<readonly Position[]>
  /** Principal and rewards of its stakes, plus coins. */
  worth(): Promise<bigint>
}

export function openWallet(agent: Client, owner: string, coins: bigint): Wallet {
  let purse = coins

  async function execute({ commands }: Pick<Built, 'commands'>) {
    const result = await agent.sandboxExecute({ sender: owner, commands })
    assert.equal(result.status, 'done', result.abort?.message ?? 'it was not done')
    purse += BigInt(result.coinsPaidOut)
    return result
  }

  async function stakeOne({ validatorId, amount }: Part): Promise<number> {
    const built = await agent.buildStake({ validatorId, amount, sender: owner })
    const { created } = await execute(built)
    purse -= BigInt(amount)
    assert(purse >= 0n, 'nothing is staked that is not there')
    assert.equal(created[0]?.activationEpoch, built.availableAtEpoch, 'it is active when it was said to be')
    return built.availableAtEpoch
  }

  /** Returns the id of the token that can be withdrawn later. */
  async function unstakeOne({ stakedTokenId = '', amount, requiresEpochWait }: Step): Promise<string> {
    const built = await agent.buildUnstake({ stakedTokenId, amount, sender: owner })
    assert.equal(
      built.requiresEpochWait,
      requiresEpochWait,
      'the step waits exactly if the chain makes it wait',
    )
    const { changed } = await execute(built)
    const requested = changed.find(({ withdrawEpoch }) => withdrawEpoch !== null)
    assert(requested, 'stake in the committee is asked back first')
    return requested.stakedTokenId
  }

  async function withdrawAll(requested: readonly string[]): Promise<readonly Payout[]> {
    const tokens = (await positions()).filter(({ stakedTokenId }) => requested.includes(stakedTokenId))
    const { epoch } = await agent.epoch()
    const due = Math.max(epoch, ...tokens.map(({ withdrawEpoch }) => withdrawEpoch ?? 0))
    if (due > epoch) await agent.sandboxAdvance({ epochs: due - epoch })
    const payouts: Payout[] = []
    for (const { stakedTokenId, validatorId, principal, activationEpoch, withdrawEpoch } of tokens) {
      const built = await agent.buildWithdraw({ stakedTokenId, sender: owner })
      const { coinsPaidOut } = await execute(built)
      payouts.push({
        validatorId,
        principal: BigInt(principal),
        activationEpoch,
        withdrawEpoch: withdrawEpoch ?? epoch,
        paidOut: BigInt(coinsPaidOut),
      })
    }
    return payouts
  }

  const positions = async () => (await agent.positions({ owner })).positions

  return {
    positions,
    async stake(parts) {
      for (const part of parts) await stakeOne(part)
    },
    async follow({ steps, epoch }) {
      const inOrder = steps.toSorted((a, b) => a.order - b.order)
      const unstakes = inOrder.filter(({ action }) => action === 'unstake')
      const stakes = inOrder.filter(({ action }) => action === 'stake')
      assert.deepEqual(inOrder, [...unstakes, ...stakes], 'unstakes come before the stakes they fund')
      const requested: string[] = []
      for (const step of unstakes) requested.push(await unstakeOne(step))
      const payouts = await withdrawAll(requested)
      let completeAtEpoch = epoch
      for (const { validator, amount } of stakes) {
        const activeAt = await stakeOne({ validatorId: validator, amount })
        completeAtEpoch = Math.max(completeAtEpoch, activeAt)
      }
      return { startedAtEpoch: epoch, completeAtEpoch, unstaked: sum(unstakes), staked: sum(stakes), payouts }
    },
    async worth() {
      const held = await positions()
      return held.reduce((total, one) => total + BigInt(one.principal) + BigInt(one.rewards), purse)
    },
  }
}

const sum = (parts: readonly { readonly amount: string }[]): bigint =>
  parts.reduce((total, { amount }) => total + BigInt(amount), 0n)
