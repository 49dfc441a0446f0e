import assert from 'node:assert/strict'
import type { Checked, Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type {
  BuiltBatch,
  BuiltItem,
  BuiltTransaction,
  buildTransactions,
} from '#domain/staking/transactions/build-transaction.ts'
import type { BatchItem } from '#domain/staking/transactions/plan-batch.ts'
import type { Warning } from '#domain/staking/transactions/stake-warnings.ts'
import { toIso } from '../../basics/iso-time.ts'
import { noteBuild } from '../audit-entry.ts'
import { buildOrAwaitApproval } from '../await-approval.ts'
import type { AgentCall } from '../call.ts'
import type { Endpoints } from '../endpoint.ts'
import type { BuildOnce } from '../once/build-once.ts'
import type { PolicyGate } from '../policy-gate.ts'
import type { completeTransactions } from './complete-transaction.ts'
import { toTokenUnit } from './shapes.ts'

type Needs = {
  readonly build: ReturnType<typeof buildTransactions>
  readonly complete: ReturnType<typeof completeTransactions>
  readonly network: CurrentNetwork
  readonly gate: PolicyGate
  readonly once: BuildOnce
  /** URL of the page on which the owner of an agent decides about an approval. */
  readonly approvalPage: (agentId: string, approvalId: string) => string
}

type BuildReply = Reply<'buildStake'> | Reply<'buildBatch'>

/** Call parameters that the caller signs and submits. Nothing is signed or submitted here. */
export function transactionEndpoints(needs: Needs) {
  const { build, complete, network, gate, once, approvalPage } = needs
  const toReply = async (
    built: BuiltTransaction,
    sender: string | undefined,
    call: AgentCall,
  ): Promise<Reply<'buildStake'>> => {
    const { epoch } = built.view.snapshot
    const { sdk, proof, refused } = await complete(built, sender, call)
    return {
      action: built.action,
      ...mainCall(built),
      commands: built.commands,
      ...sdk,
      summary: summaryOf([built], refused),
      requiresEpochWait: built.requiresEpochWait,
      availableAtEpoch: built.availableAtEpoch,
      availableAt: toIso(built.availableAt),
      epoch: epoch.number,
      nextCommitteeSelected: epoch.nextCommitteeSelected,
      dataAgeSeconds: network.ageSeconds(built.view),
      expiresAt: toIso(built.expiresAt),
      ...toTokenUnit(built.view.snapshot),
      warnings: [...refused, ...built.warnings],
      ...proof,
    }
  }
  const toBatchReply = async (
    built: BuiltBatch,
    items: readonly BatchItem[],
    sender: string | undefined,
    call: AgentCall,
  ): Promise<Reply<'buildBatch'>> => {
    const { epoch } = built.view.snapshot
    const { sdk, proof, refused } = await complete(built, sender, call)
    return {
      items: built.items.map(({ warnings: _, availableAt, ...item }) => ({
        ...item,
        availableAt: toIso(availableAt),
      })),
      staked: String(items.reduce((sum, item) => (item.action === 'stake' ? sum + item.amount : sum), 0n)),
      commands: built.commands,
      ...sdk,
      summary: summaryOf(built.items, refused),
      warnings: [
        ...[...refused, ...built.warnings].map((warning) => ({ item: null, ...warning })),
        ...built.items.flatMap(({ warnings }, item) => warnings.map((warning) => ({ item, ...warning }))),
      ],
      epoch: epoch.number,
      nextCommitteeSelected: epoch.nextCommitteeSelected,
      dataAgeSeconds: network.ageSeconds(built.view),
      expiresAt: toIso(built.expiresAt),
      ...toTokenUnit(built.view.snapshot),
      ...proof,
    }
  }
  const buildOrWait = <R extends BuildReply>(...[call, asked, run]: Parameters<typeof once<R>>) => {
    noteBuild(call.audit, { amount: amountIn(asked.input) })
    const pageOf = (approvalId: string) => approvalPage(call.caller.agent.id, approvalId)
    return buildOrAwaitApproval({ ...asked, pageOf, audit: call.audit }, once<R>(call, asked, run))
  }
  return {
    buildStake: {
      requires: 'fresh data',
      handle: ({ validatorId, amount, sender, approvalId }, call) =>
        buildOrWait(
          call,
          { endpoint: 'buildStake', input: { validatorId, amount, sender, approvalId } },
          async (held) => {
            const request = { validatorId, amount: BigInt(amount) }
            const permit = gate.checkBuild(held, { sender, approvalId })
            const built = await build.stake(request, held.signal(), permit)
            return { built, reply: await toReply(built, sender, held) }
          },
        ),
    },
    buildUnstake: {
      requires: 'fresh data',
      handle: ({ stakedTokenId, amount, sender, approvalId }, call) =>
        buildOrWait(
          call,
          { endpoint: 'buildUnstake', input: { stakedTokenId, amount, sender, approvalId } },
          async (held) => {
            const part = amount === undefined ? undefined : BigInt(amount)
            const permit = gate.checkBuild(held, { sender, approvalId })
            const built = await build.unstake({ stakedTokenId, amount: part, sender }, held.signal(), permit)
            return { built, reply: await toReply(built, sender, held) }
          },
        ),
    },
    buildWithdraw: {
      requires: 'fresh data',
      handle: ({ stakedTokenId, sender, approvalId }, call) =>
        buildOrWait(
          call,
          { endpoint: 'buildWithdraw', input: { stakedTokenId, sender, approvalId } },
          async (held) => {
            const permit = gate.checkBuild(held, { sender, approvalId })
            const built = await build.withdraw({ stakedTokenId, sender }, held.signal(), permit)
            return { built, reply: await toReply(built, sender, held) }
          },
        ),
    },
    buildJoin: {
      requires: 'fresh data',
      handle: ({ stakedTokenIds, sender, approvalId }, call) =>
        buildOrWait(
          call,
          { endpoint: 'buildJoin', input: { stakedTokenIds, sender, approvalId } },
          async (held) => {
            const permit = gate.checkBuild(held, { sender, approvalId })
            const built = await build.join({ stakedTokenIds, sender }, held.signal(), permit)
            return { built, reply: await toReply(built, sender, held) }
          },
        ),
    },
    buildBatch: {
      requires: 'fresh data',
      handle: ({ items, sender, approvalId }, call) =>
        buildOrWait(call, { endpoint: 'buildBatch', input: { items, sender, approvalId } }, async (held) => {
          const wanted = items.map(toBatchItem)
          const permit = gate.checkBuild(held, { sender, approvalId }, 'batch')
          const built = await build.batch(wanted, sender, held.signal(), permit)
          return { built, reply: await toBatchReply(built, wanted, sender, held) }
        }),
    },
  } satisfies Endpoints
}

/** The amount in the request, for the audit log; the amount that it moves is known after planning. */
const amountIn = (input: object): bigint | undefined =>
  'amount' in input && typeof input.amount === 'string' ? BigInt(input.amount) : undefined

/** A person often sees the summary alone, so it says if the transaction would fail. */
const summaryOf = (items: readonly Pick<BuiltItem, 'summary'>[], refused: readonly Warning[]): string =>
  [...refused.map(() => WOULD_FAIL), ...items.map(({ summary }) => summary)].join(' ')

const WOULD_FAIL = 'Would fail now.'

export function toBatchItem(item: Checked<'buildBatch'>['items'][number]): BatchItem {
  if (item.action === 'withdraw' || item.action === 'join') return item
  if (item.action === 'stake') return { ...item, amount: BigInt(item.amount) }
  return { ...item, amount: item.amount === undefined ? undefined : BigInt(item.amount) }
}

/** The last call: a split may come before it. */
function mainCall({ commands }: BuiltTransaction) {
  const call = commands.findLast((command) => command.kind === 'moveCall')
  assert(call, 'a transaction calls something')
  return { target: call.target, arguments: call.arguments, typeArguments: call.typeArguments }
}
