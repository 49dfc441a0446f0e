import type { Reply } from '@stakewright/contract'
import type { signIntents } from '#domain/staking/intents/sign-intent.ts'
import type { BuiltBatch, BuiltTransaction } from '#domain/staking/transactions/build-transaction.ts'
import { toSdkTransaction } from '#domain/staking/transactions/sdk-transaction.ts'
import type { simulateTransactions } from '#domain/staking/transactions/simulate-transaction.ts'
import type { Warning } from '#domain/staking/transactions/stake-warnings.ts'
import type { Simulation } from '#ports/chain/simulation.ts'
import type { AgentCall } from '../call.ts'

type Needs = {
  readonly signIntent: ReturnType<typeof signIntents>
  readonly simulate: ReturnType<typeof simulateTransactions>
}

/** Adds to a built transaction its SDK form, its simulation and its signed intent. */
export function completeTransactions({ signIntent, simulate }: Needs) {
  return async (built: BuiltTransaction | BuiltBatch, sender: string | undefined, call: AgentCall) => {
    const { actions, commands, expiresAt, view, allowed } = built
    const policyHash = allowed?.policyHash ?? null
    const isBatch = 'items' in built
    const basis = { isBatch, actions, commands, expiresAt, view, sender, policyHash }
    const signed = signIntent(basis)
    // The SDK transaction expires in the same epoch as the intent.
    const sdk = sender && { transaction: toSdkTransaction(commands, sender, signed.intent.expiresEpoch) }
    const agentId = call.caller.agent.id
    const request = sender && sdk ? { sender, commands, agentId, ...sdk } : undefined
    const simulation = await simulate(request, call.signal())
    return { sdk, proof: { simulation: toReply(simulation), ...signed }, refused: refusedBy(simulation) }
  }
}

/** A warning if the chain would refuse the transaction now. */
function refusedBy(simulation: Simulation): readonly Warning[] {
  if (simulation.kind !== 'aborted' && simulation.kind !== 'failed') return []
  const reason = simulation.kind === 'aborted' ? simulation.message : simulation.reason
  return [{ rule: 'chain_refuses', message: `The chain would refuse it now: ${reason}` }]
}

function toReply(simulation: Simulation): Reply<'buildStake'>['simulation'] {
  if (simulation.kind === 'success') {
    const { kind: status, gas, effects } = simulation
    const balances = effects.balances.map(({ coinType, change }) => ({ coinType, change: String(change) }))
    return { status, gas: toGas(gas), effects: { ...effects, balances } }
  }
  if (simulation.kind === 'aborted') {
    const { kind: status, gas, module, code, name, message } = simulation
    const abort = { module, code, name: name ?? null }
    return { status, gas: toGas(gas), effects: null, abort, reason: message }
  }
  const gas = simulation.kind === 'failed' ? toGas(simulation.gas) : null
  return { status: simulation.kind, gas, effects: null, reason: simulation.reason }
}

const toGas = (gas: bigint | undefined): string | null => (gas === undefined ? null : String(gas))
