import assert from 'node:assert/strict'
import type { Checked, Reply } from '@stakewright/contract'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { signIntents } from '#domain/staking/intents/sign-intent.ts'
import type {
  BuiltBatch,
  BuiltTransaction,
  buildTransactions,
} from '#domain/staking/transactions/build-transaction.ts'
import type { BatchItem } from '#domain/staking/transactions/plan-batch.ts'
import { toSdkTransaction } from '#domain/staking/transactions/sdk-transaction.ts'
import type { Endpoints } from '../endpoint.ts'
import type { PolicyGate } from '../policy-gate.ts'
import { toIso } from './shapes.ts'

type Needs = {
  readonly build: ReturnType<typeof buildTransactions>
  readonly signIntent: ReturnType<typeof signIntents>
  readonly network: CurrentNetwork
  readonly gate: PolicyGate
}

/** Call parameters that the caller signs and submits. Nothing is signed or submitted here. */
export function transactionEndpoints({ build, signIntent, network, gate }: Needs) {
  /** The transaction in the form of the SDK, and what it is for. Both expire alike. */
  const toSigned = (built: BuiltTransaction | BuiltBatch, sender: string | undefined) => {
    const { actions, commands, expiresAt, view, allowed } = built
    const policyHash = allowed?.policyHash ?? null
    const isBatch = 'items' in built
    const basis = { isBatch, actions, commands, expiresAt, view, sender, policyHash }
    const signed = signIntent(basis)
    const { expiresEpoch } = signed.intent
    return { signed, sdk: sender ? { transaction: toSdkTransaction(commands, sender, expiresEpoch) } : {} }
  }
  const toReply = (built: BuiltTransaction, sender: string | undefined): Reply<'buildStake'> => {
    const { epoch } = built.view.snapshot
    const { signed, sdk } = toSigned(built, sender)
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
      warnings: built.warnings,
      ...signed,
    }
  }
  const toBatchReply = (
    built: BuiltBatch,
    items: readonly BatchItem[],
    sender: string | undefined,
  ): Reply<'buildBatch'> => {
    const { epoch } = built.view.snapshot
    const { signed, sdk } = toSigned(built, sender)
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
      ...signed,
    }
  }
  return {
    buildStake: {
      requires: 'fresh data',
      handle: async ({ validatorId, amount, sender }, call) => {
        const request = { validatorId, amount: BigInt(amount) }
        const built = await build.stake(request, call.signal(), gate.permitFor(call, sender))
        return reserved(built, toReply(built, sender))
      },
    },
    buildUnstake: {
      requires: 'fresh data',
      handle: async ({ stakedTokenId, amount, sender }, call) => {
        const request = { stakedTokenId, amount: amount === undefined ? undefined : BigInt(amount), sender }
        const built = await build.unstake(request, call.signal(), gate.permitFor(call, sender))
        return reserved(built, toReply(built, sender))
      },
    },
    buildWithdraw: {
      requires: 'fresh data',
      handle: async ({ stakedTokenId, sender }, call) => {
        const request = { stakedTokenId, sender }
        const built = await build.withdraw(request, call.signal(), gate.permitFor(call, sender))
        return reserved(built, toReply(built, sender))
      },
    },
    buildBatch: {
      requires: 'fresh data',
      handle: async ({ items, sender }, call) => {
        const wanted = items.map(toBatchItem)
        const permit = gate.permitFor(call, sender, 'batch')
        const built = await build.batch(wanted, sender, call.signal(), permit)
        return reserved(built, toBatchReply(built, wanted, sender))
      },
    },
  } satisfies Endpoints
}

/** Nothing leaves before it counts against the windows of the agent's policy. */
async function reserved<R extends { readonly intentId: string }>(
  { allowed, expiresAt }: BuiltTransaction | BuiltBatch,
  reply: R,
): Promise<{ readonly reply: R }> {
  await allowed?.reserve?.(reply.intentId, expiresAt)
  return { reply }
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
