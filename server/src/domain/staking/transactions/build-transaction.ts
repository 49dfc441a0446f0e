import type { Command, StakingAction, StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { KeptBuild } from '#ports/stores/completed-requests.ts'
import type { NetworkView } from '../../network/network-view.ts'
import { startOfEpoch } from '../epoch-rules.ts'
import { renamed } from './command-names.ts'
import { expiryOf } from './expiry.ts'
import {
  type PlannedAction,
  planStake,
  planUnstake,
  planWithdraw,
  type StakeRequest,
  type UnstakeRequest,
  type WithdrawRequest,
} from './plan-action.ts'
import { type BatchItem, planBatch, tokensOf } from './plan-batch.ts'
import { type JoinRequest, planJoin } from './plan-join.ts'
import type { Warning } from './stake-warnings.ts'

export type BuiltTransaction = BuiltItem & {
  /** The actions on the chain: one, or all of a batch. */
  readonly actions: readonly StakingAction[]
  /** The complete transaction, in order. */
  readonly commands: readonly Command[]
  readonly expiresAt: number
  /** The terms on which the agent's policy allows it; undefined: there is no policy. */
  readonly allowed: Allowed | undefined
  /** The chain data that it was planned with. */
  readonly view: NetworkView
}

export type BuiltItem = {
  readonly action: StakingAction['kind']
  readonly summary: string
  /** The epoch in which the stake is active, or the funds are available. */
  readonly availableAtEpoch: number
  readonly requiresEpochWait: boolean
  readonly availableAt: number
  readonly warnings: readonly Warning[]
}

export type BuiltBatch = Pick<BuiltTransaction, 'actions' | 'commands' | 'expiresAt' | 'allowed' | 'view'> & {
  readonly items: readonly BuiltItem[]
  /** Warnings about the whole batch; each item has its own. */
  readonly warnings: readonly Warning[]
}

/** The terms on which a policy allows a transaction. */
export type Allowed = {
  /** The hash of the policy that allowed it. */
  readonly policyHash: string
  /** The time at which the policy stops allowing it. */
  readonly until: number
  /** Counts it against the windows of the policy before the answer is sent; undefined: there are no windows. */
  readonly reserve: ((intentId: string, expiresAt: number, kept?: KeptBuild) => Promise<void>) | undefined
}

/** Policy check, called between planning and building; throws to refuse. */
export type Permit = (view: NetworkView, planned: readonly PlannedAction[]) => Promise<Allowed | undefined>

type Needs = {
  readonly chain: StakingChain
  readonly readConfirmed: (deadline: AbortSignal) => Promise<NetworkView>
  readonly clock: Clock
}

/** Call parameters that the caller signs and submits, built only when the chain would accept them now. */
export function buildTransactions({ chain, readConfirmed, clock }: Needs) {
  const toItem = ({ snapshot }: NetworkView, planned: PlannedAction): BuiltItem => ({
    action: planned.action.kind,
    summary: planned.summary,
    availableAtEpoch: planned.epoch,
    requiresEpochWait: planned.epoch > snapshot.epoch.number,
    availableAt: Math.max(startOfEpoch(snapshot, planned.epoch), clock.now()),
    warnings: planned.warnings,
  })

  const expiry = ({ snapshot }: NetworkView, allowed: Allowed | undefined) =>
    expiryOf(snapshot, clock.now(), allowed?.until ?? Number.POSITIVE_INFINITY)

  const build = async (
    view: NetworkView,
    planned: PlannedAction,
    permit: Permit | undefined,
  ): Promise<BuiltTransaction> => {
    const allowed = await permit?.(view, [planned])
    const { expiresAt, warnings } = expiry(view, allowed)
    return {
      ...toItem(view, planned),
      warnings: [...warnings, ...planned.warnings],
      actions: [planned.action],
      commands: chain.commandsFor(view.snapshot, planned.action),
      expiresAt,
      allowed,
      view,
    }
  }

  async function readWith(stakedTokenId: string, deadline: AbortSignal) {
    const view = await readConfirmed(deadline)
    return { view, token: await chain.stakedToken(stakedTokenId, deadline) }
  }

  async function planItems(items: readonly BatchItem[], sender: string | undefined, deadline: AbortSignal) {
    const view = await readConfirmed(deadline)
    const ids = [...new Set(items.flatMap(tokensOf))]
    const tokens = ids.length === 0 ? [] : await chain.stakedTokens(ids, deadline)
    return { view, planned: planBatch(view, items, { tokens, sender }) }
  }

  return {
    /** Plans a batch without building it. */
    planItems,

    async stake(request: StakeRequest, deadline: AbortSignal, permit?: Permit): Promise<BuiltTransaction> {
      const view = await readConfirmed(deadline)
      return build(view, planStake(view, request), permit)
    },

    async unstake(
      request: UnstakeRequest,
      deadline: AbortSignal,
      permit?: Permit,
    ): Promise<BuiltTransaction> {
      const { view, token } = await readWith(request.stakedTokenId, deadline)
      return build(view, planUnstake(view, token, request), permit)
    },

    async withdraw(
      request: WithdrawRequest,
      deadline: AbortSignal,
      permit?: Permit,
    ): Promise<BuiltTransaction> {
      const { view, token } = await readWith(request.stakedTokenId, deadline)
      return build(view, planWithdraw(view, token, request), permit)
    },

    async join(request: JoinRequest, deadline: AbortSignal, permit?: Permit): Promise<BuiltTransaction> {
      const view = await readConfirmed(deadline)
      const tokens = await chain.stakedTokens([...new Set(request.stakedTokenIds)], deadline)
      return build(view, planJoin(view, tokens, request), permit)
    },

    /** All items in one transaction: the chain does all of them or none. */
    async batch(
      items: readonly BatchItem[],
      sender: string | undefined,
      deadline: AbortSignal,
      permit?: Permit,
    ): Promise<BuiltBatch> {
      const { view, planned } = await planItems(items, sender, deadline)
      const allowed = await permit?.(view, planned)
      return {
        items: planned.map((one) => toItem(view, one)),
        actions: planned.map(({ action }) => action),
        commands: planned.flatMap(({ action }, at) =>
          // The items of a batch use the same names.
          chain
            .commandsFor(view.snapshot, action)
            .map((command) => renamed(command, (name) => `${name}-${at + 1}`)),
        ),
        ...expiry(view, allowed),
        allowed,
        view,
      }
    },
  }
}
