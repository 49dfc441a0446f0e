import assert from 'node:assert/strict'
import type { Checked, Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import { AwaitsApproval } from '#domain/policy/approvals/approve-transaction.ts'
import type {
  BuiltBatch,
  BuiltTransaction,
  buildTransactions,
} from '#domain/staking/transactions/build-transaction.ts'
import type { BatchItem } from '#domain/staking/transactions/plan-batch.ts'
import type { Answer } from '../answer.ts'
import type { Endpoints } from '../endpoint.ts'
import type { BuildOnce } from '../once/build-once.ts'
import type { PolicyGate } from '../policy-gate.ts'
import type { completeTransactions } from './complete-transaction.ts'
import { toIso, toTokenUnit } from './shapes.ts'

type Needs = {
  readonly build: ReturnType<typeof buildTransactions>
  readonly complete: ReturnType<typeof completeTransactions>
  readonly network: CurrentNetwork
  readonly gate: PolicyGate
  readonly once: BuildOnce
}

/** Call parameters that the caller signs and submits. Nothing is signed or submitted here. */
export function transactionEndpoints({ build, complete, network, gate, once }: Needs) {
  const toReply = async (
    built: BuiltTransaction,
    sender: string | undefined,
    signal: AbortSignal,
  ): Promise<Reply<'buildStake'>> => {
    const { epoch } = built.view.snapshot
    const { sdk, proof } = await complete(built, sender, signal)
    return {
      action: built.action,
      ...mainCall(built),
      commands: built.commands,
      ...sdk,
      summary: built.summary,
      requiresEpochWait: built.requiresEpochWait,
      availableAtEpoch: built.availableAtEpoch,
      availableAt: toIso(built.availableAt),
      epoch: epoch.number,
      nextCommitteeSelected: epoch.nextCommitteeSelected,
      dataAgeSeconds: network.ageSeconds(built.view),
      expiresAt: toIso(built.expiresAt),
      ...toTokenUnit(built.view.snapshot),
      warnings: built.warnings,
      ...proof,
    }
  }
  const toBatchReply = async (
    built: BuiltBatch,
    items: readonly BatchItem[],
    sender: string | undefined,
    signal: AbortSignal,
  ): Promise<Reply<'buildBatch'>> => {
    const { epoch } = built.view.snapshot
    const { sdk, proof } = await complete(built, sender, signal)
    return {
      items: built.items.map(({ warnings: _, availableAt, ...item }) => ({
        ...item,
        availableAt: toIso(availableAt),
      })),
      staked: String(items.reduce((sum, item) => (item.action === 'stake' ? sum + item.amount : sum), 0n)),
      commands: built.commands,
      ...sdk,
      summary: built.items.map(({ summary }) => summary).join(' '),
      warnings: built.items.flatMap(({ warnings }, item) =>
        warnings.map((warning) => ({ item, ...warning })),
      ),
      epoch: epoch.number,
      nextCommitteeSelected: epoch.nextCommitteeSelected,
      dataAgeSeconds: network.ageSeconds(built.view),
      expiresAt: toIso(built.expiresAt),
      ...toTokenUnit(built.view.snapshot),
      ...proof,
    }
  }
  return {
    buildStake: {
      requires: 'fresh data',
      handle: ({ validatorId, amount, sender, approvalId }, call) =>
        orWaiting(
          once(
            call,
            { endpoint: 'buildStake', input: { validatorId, amount, sender, approvalId } },
            async () => {
              const request = { validatorId, amount: BigInt(amount) }
              const built = await build.stake(
                request,
                call.signal(),
                gate.permitFor(call, { sender, approvalId }),
              )
              return { built, reply: await toReply(built, sender, call.signal()) }
            },
          ),
        ),
    },
    buildUnstake: {
      requires: 'fresh data',
      handle: ({ stakedTokenId, amount, sender, approvalId }, call) =>
        orWaiting(
          once(
            call,
            { endpoint: 'buildUnstake', input: { stakedTokenId, amount, sender, approvalId } },
            async () => {
              const request = {
                stakedTokenId,
                amount: amount === undefined ? undefined : BigInt(amount),
                sender,
              }
              const built = await build.unstake(
                request,
                call.signal(),
                gate.permitFor(call, { sender, approvalId }),
              )
              return { built, reply: await toReply(built, sender, call.signal()) }
            },
          ),
        ),
    },
    buildWithdraw: {
      requires: 'fresh data',
      handle: ({ stakedTokenId, sender, approvalId }, call) =>
        orWaiting(
          once(
            call,
            { endpoint: 'buildWithdraw', input: { stakedTokenId, sender, approvalId } },
            async () => {
              const request = { stakedTokenId, sender }
              const built = await build.withdraw(
                request,
                call.signal(),
                gate.permitFor(call, { sender, approvalId }),
              )
              return { built, reply: await toReply(built, sender, call.signal()) }
            },
          ),
        ),
    },
    buildBatch: {
      requires: 'fresh data',
      handle: ({ items, sender, approvalId }, call) =>
        orWaiting(
          once(call, { endpoint: 'buildBatch', input: { items, sender, approvalId } }, async () => {
            const wanted = items.map(toBatchItem)
            const permit = gate.permitFor(call, { sender, approvalId }, 'batch')
            const built = await build.batch(wanted, sender, call.signal(), permit)
            return { built, reply: await toBatchReply(built, wanted, sender, call.signal()) }
          }),
        ),
    },
  } satisfies Endpoints
}

/** Says 202 where the owner of the agent must approve first. */
async function orWaiting<Built>(building: Promise<Built>): Promise<Built | { readonly answer: Answer }> {
  try {
    return await building
  } catch (error) {
    if (!(error instanceof AwaitsApproval)) throw error
    const { approvalId, expiresAt } = error
    return { answer: { status: 202, body: { approvalId, expiresAt: toIso(expiresAt) } } }
  }
}

export function toBatchItem(item: Checked<'buildBatch'>['items'][number]): BatchItem {
  if (item.action === 'withdraw') return item
  if (item.action === 'stake') return { ...item, amount: BigInt(item.amount) }
  return { ...item, amount: item.amount === undefined ? undefined : BigInt(item.amount) }
}

/** A split comes before what it is for, so the last call is the one that matters. */
function mainCall({ commands }: BuiltTransaction) {
  const call = commands.findLast((command) => command.kind === 'moveCall')
  assert(call, 'a transaction calls something')
  return { target: call.target, arguments: call.arguments, typeArguments: call.typeArguments }
}
