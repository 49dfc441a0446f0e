import type { Command, StakingAction } from '#ports/chain/staking-chain.ts'
import type { Intent } from '#ports/intent-signer.ts'
import type { NetworkView } from '../../network/network-view.ts'

/** The inputs of an intent: a built transaction, its sender and the policy. */
export type IntentBasis = {
  readonly isBatch: boolean
  readonly actions: readonly StakingAction[]
  readonly commands: readonly Command[]
  readonly expiresAt: number
  readonly view: NetworkView
  readonly sender: string | undefined
  readonly policyHash: string | null
  readonly issuedAt: number
  /** Distinguishes two equal intents that are signed in the same millisecond. */
  readonly nonce: string
}

/**
 * Gas limits in MIST for the first action and for each further one of a batch. Staking uses a small fraction of
 * them.
 */
const MAX_GAS_OF_ONE = 100_000_000n
const MAX_GAS_OF_MORE = 50_000_000n
/** Executable until the end of the next epoch of Sui (one to two days), so that nobody signs under time pressure. */
const EPOCHS_TO_SIGN = 1

/** States the purpose of a transaction in a form that can be compared with the effects of its bytes. */
export function toIntent(basis: IntentBasis): Intent {
  const { isBatch, actions, commands, view, sender, policyHash, issuedAt, expiresAt, nonce } = basis
  const { network, chainId } = view.snapshot
  const [first] = actions
  const only = isBatch ? undefined : first
  return {
    v: 1,
    action: only?.kind ?? 'batch',
    network,
    chainId,
    sender: sender ?? null,
    validator: only?.kind === 'stake' ? only.validatorId : null,
    amount: only && 'amount' in only && only.amount !== undefined ? String(only.amount) : null,
    expectedEffects: actions.map(toEffect),
    maxGas: String(MAX_GAS_OF_ONE + MAX_GAS_OF_MORE * BigInt(actions.length - 1)),
    expiresEpoch: lastEpoch(view) ?? null,
    policyHash,
    calls: commands.flatMap((command) => (command.kind === 'moveCall' ? [command.target] : [])),
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
    nonce,
  }
}

/**
 * The last epoch of the chain in which the transaction may be executed; undefined if the chain's epoch is not
 * known.
 */
export const lastEpoch = ({ snapshot: { chainEpoch } }: NetworkView): number | undefined =>
  chainEpoch === undefined ? undefined : chainEpoch + EPOCHS_TO_SIGN

function toEffect(action: StakingAction): Intent['expectedEffects'][number] {
  if (action.kind === 'stake') {
    return { action: action.kind, validator: action.validatorId, amount: String(action.amount) }
  }
  if (action.kind === 'join') return { action: action.kind, stakedTokenIds: [...action.stakedTokenIds] }
  const { kind, stakedTokenId, amount } = action
  return { action: kind, stakedTokenId, ...(amount !== undefined && { amount: String(amount) }) }
}
