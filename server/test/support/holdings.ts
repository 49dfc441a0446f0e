import assert from 'node:assert/strict'
import type { Client } from '@stakewright/client'
import type { NetworkName } from '#ports/chain/staking-chain.ts'
import { OWNER, TOKENS, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { idOf } from '../fake-full-node/world.ts'

/** A staked token and the address that may sign for it. */
export type Holding = { readonly stakedTokenId: string; readonly sender: string }

/** A validator to stake with, and a token in each state that a token can be in. */
export type Holdings = {
  readonly validatorId: string
  readonly sender: string
  readonly earning: Holding
  readonly preActive: Holding
  readonly ofInactive: Holding
  readonly due: Holding
}

export const ME = `0x${'a1'.repeat(32)}`
export const TEN = '10000000000'

export const holdingsOn = (network: NetworkName, agent: Client): Promise<Holdings> =>
  network === 'sandbox' ? holdingsInSandbox(agent) : holdingsInSample()

async function holdingsInSample(): Promise<Holdings> {
  const own = (stakedTokenId: string): Holding => ({ stakedTokenId, sender: OWNER })
  return {
    validatorId: VALIDATORS.steady,
    sender: OWNER,
    earning: own(TOKENS.earning),
    preActive: own(TOKENS.preActive),
    ofInactive: own(TOKENS.ofLeft),
    due: own(TOKENS.withdrawing),
  }
}

/** Equal to `TOKENS.earning` in all but their principal. */
export const TWINS = [0x2a1, 0x2a2].map((number) => ({
  id: idOf(number),
  owner: OWNER,
  validatorId: VALIDATORS.steady,
  principal: BigInt(number) * 1_000_000_000n,
  activationEpoch: 20,
}))

/** Three tokens that can be joined, and the address that may sign for them. The sample must hold `TWINS`. */
export async function joinableTokensOn(network: NetworkName, agent: Client) {
  if (network !== 'sandbox') {
    return { sender: OWNER, stakedTokenIds: [TOKENS.earning, ...TWINS.map(({ id }) => id)] }
  }
  const validatorId = (await agent.validators({ status: 'active', limit: 1 })).data[0]?.id ?? ''
  const stakedTokenIds: string[] = []
  for (const amount of ['100000000000', '673000000000', '674000000000']) {
    stakedTokenIds.push((await stakeInSandbox(agent, validatorId, amount)).stakedTokenId)
  }
  return { sender: ME, stakedTokenIds }
}

/** Brings tokens into each state by calls: stake, advance, unstake, advance. */
async function holdingsInSandbox(agent: Client): Promise<Holdings> {
  const { data: validators } = await agent.validators()
  const withStatus = (status: string) => validators.find((validator) => validator.status === status)?.id ?? ''
  const validatorId = withStatus('active')
  const earning = await stakeInSandbox(agent, validatorId)
  const due = await stakeInSandbox(agent, validatorId)
  await agent.sandboxAdvance({ epochs: 1 })
  const { commands } = await agent.buildUnstake(due)
  assert.equal((await agent.sandboxExecute({ sender: ME, commands })).status, 'done')
  await agent.sandboxAdvance({ epochs: 1 })
  const preActive = await stakeInSandbox(agent, validatorId)
  const ofInactive = await anyTokenOf(agent, withStatus('inactive'))
  return { validatorId, sender: ME, earning, preActive, ofInactive, due }
}

export async function stakeInSandbox(agent: Client, validatorId: string, amount = TEN): Promise<Holding> {
  const { commands } = await agent.buildStake({ validatorId, amount })
  const { created } = await agent.sandboxExecute({ sender: ME, commands })
  const [token] = created
  assert(token, 'a token was made')
  return { stakedTokenId: token.stakedTokenId, sender: ME }
}

/** A token that somebody has staked with the validator. */
async function anyTokenOf(agent: Client, validatorId: string): Promise<Holding> {
  const { delegators } = await agent.delegators({ validatorId })
  const sender = delegators[0]?.owner ?? ''
  const { positions } = await agent.positions({ owner: sender })
  const token = positions.find(
    (position) => position.validatorId === validatorId && position.state === 'active',
  )
  assert(token, 'somebody stakes there')
  return { stakedTokenId: token.stakedTokenId, sender }
}
