import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { extendHistory, NO_HISTORY } from '#domain/network/history.ts'
import { type NetworkView, viewNetwork } from '#domain/network/network-view.ts'
import type { RebalanceCall } from '#domain/staking/rebalance/calls.ts'
import { buildTransactions } from '#domain/staking/transactions/build-transaction.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
import type { MemoryChain } from './memory-chain.ts'
import { soon } from './random-holders.ts'

const HISTORY = 40

export async function viewOf(chain: MemoryChain): Promise<NetworkView> {
  const snapshot = await chain.readSnapshot(soon())
  const records = await chain.readEpochs(snapshot.epoch.number - HISTORY, soon())
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  return viewNetwork(snapshot, extendHistory(NO_HISTORY, records), digest)
}

/**
 * View for building one transaction: chain data are read anew, scores are taken from the view of the plan. No builder
 * reads scores, and computing them takes half of the time of a run with a thousand holders.
 */
async function freshView(chain: MemoryChain, planned: NetworkView): Promise<NetworkView> {
  const snapshot = await chain.readSnapshot(soon())
  const scored = snapshot.validators.flatMap((validator) => {
    const known = planned.byId.get(validator.id)
    return known ? [{ ...known, validator }] : []
  })
  return { ...planned, snapshot, scored, byId: new Map(scored.map((one) => [one.validator.id, one])) }
}

/** Executes the calls of a plan, each in its epoch, and stakes only coins that the plan has paid out before. */
export async function followPlan(
  chain: MemoryChain,
  owner: string,
  { calls, view }: { readonly calls: readonly RebalanceCall[]; readonly view: NetworkView },
): Promise<{ readonly coins: bigint }> {
  const builder = buildTransactions({
    chain,
    readConfirmed: () => freshView(chain, view),
    clock: { now: () => chain.now() },
  })
  const created = new Map<number, string>()
  let coins = 0n
  for (const { order, epoch, call, paysOut } of calls) {
    const wait = epoch - chain.world().epoch
    assert(wait >= 0, 'calls come in the order of their epochs')
    if (wait > 0) await chain.advance(wait)
    const built = await buildCall(builder, owner, call, created)
    const result = await execute(chain, owner, built.commands)
    const [part] = result.created
    if (part) created.set(order, part.id)
    assert(result.coinsPaidOut >= paysOut, `call ${order} pays ${result.coinsPaidOut}, not ${paysOut}`)
    coins += result.coinsPaidOut
    if (call.kind === 'stake') coins -= call.amount
    if (call.kind === 'stakes') for (const { amount } of call.stakes) coins -= amount
    assert(coins >= 0n, 'nothing is staked that was not paid out before')
  }
  return { coins }
}

type Builder = ReturnType<typeof buildTransactions>

function buildCall(
  builder: Builder,
  sender: string,
  call: RebalanceCall['call'],
  created: ReadonlyMap<number, string>,
) {
  if (call.kind === 'stake') return builder.stake(call, soon())
  if (call.kind === 'stakes') {
    const items = call.stakes.map((stake) => ({ action: 'stake' as const, ...stake }))
    return builder.batch(items, sender, soon())
  }
  if (call.kind === 'unstake') return builder.unstake({ ...call, sender }, soon())
  const { token } = call
  const stakedTokenId = token.kind === 'known' ? token.stakedTokenId : (created.get(token.byCall) ?? '')
  return builder.withdraw({ stakedTokenId, sender }, soon())
}

async function execute(chain: MemoryChain, owner: string, commands: readonly Command[]) {
  const result = await chain.execute(owner, commands)
  assert(result.kind === 'done', result.kind === 'aborted' ? `the chain aborts: ${result.message}` : '')
  return result
}

/** Principal and rewards of all staked tokens of the address. */
export async function stakeWorth(chain: MemoryChain, owner: string): Promise<bigint> {
  const tokens = await chain.stakedTokensOf(owner, soon())
  return tokens.reduce((sum, { principal, rewards }) => sum + principal + rewards, 0n)
}
