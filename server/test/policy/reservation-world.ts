import assert from 'node:assert/strict'
import type { NetworkView } from '#domain/network/network-view.ts'
import { admitTransactions } from '#domain/policy/admit-transaction.ts'
import type { PlannedTransaction } from '#domain/policy/cases/open-case.ts'
import { judgeTransactions } from '#domain/policy/judge-transaction.ts'
import { policiesInForce } from '#domain/policy/policies-in-force.ts'
import { followChain } from '#domain/policy/reservations/chain-expiry.ts'
import { markExecuted } from '#domain/policy/reservations/mark-executed.ts'
import { releaseReservation } from '#domain/policy/reservations/release-reservation.ts'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Policies, PolicyDocument } from '#ports/stores/policies.ts'
import type { Reservations } from '#ports/stores/reservations.ts'
import { Fault } from '../../src/fault.ts'
import type { TestClock } from '../support/test-clock.ts'

export const LIMITS = { hour: 60n, day: 100n, epoch: 130n } as const

export const documentFor = (sender: string): PolicyDocument => ({
  rules: [
    { rule: 'actions', allow: ['stake', 'join'] },
    { rule: 'senders', allow: [sender] },
    ...Object.entries(LIMITS).map(([window, amount]) => ({
      rule: 'maxPerWindow' as const,
      window: window as keyof typeof LIMITS,
      amount: String(amount),
      actions: ['stake' as const],
    })),
  ],
  loosenAfterSeconds: 0,
})

/** The stores of one instance. */
export type Instance = { readonly policies: Policies; readonly reservations: Reservations }
export type World = {
  readonly agentNo: number
  /** Wallet address that no other agent of the run uses. */
  readonly sender: string
  readonly instances: readonly [Instance, Instance]
  /** Reopens the stores: the instances start again with nothing but what is stored. */
  readonly restart: () => Promise<readonly [Instance, Instance]>
}

export type Holding = { readonly sender: string; readonly tokens: StakedToken[] }

const nobodyAsks = () => assert.fail('the policy of the model needs no approval')

/** The policy operations of one process, on real stores. */
export function openInstance(
  { policies, reservations }: Instance,
  { sender, clock, tokens, chain }: Holding & { readonly clock: TestClock; readonly chain: ChainNow },
) {
  const chainEpoch = () => timesOf(chain)
  let ids = 0
  const prefix = crypto.randomUUID()
  const needs = {
    inForce: policiesInForce({ policies }),
    reservations: followChain(reservations, { chainEpoch, clock }),
    chainEpoch,
    chain: { stakedTokensOf: async () => tokens },
    clock,
    secrets: { newReservationId: () => `${prefix} ${++ids}` },
  }
  const admit = admitTransactions({ ...needs, approve: nobodyAsks })
  const judge = judgeTransactions(needs)
  const release = releaseReservation(needs)
  const mark = markExecuted(needs)
  const deadline = AbortSignal.timeout(600_000)
  const refusedAs = (code: string) => (error: unknown) => {
    if (error instanceof Fault && error.code === code) return undefined
    throw error
  }
  const build = async (no: number, transaction: PlannedTransaction, expiresAt: number) => {
    const allowed = await admit({ no, policyRevision: 1 }, transaction, deadline)
    const intentId = `${prefix} ${++ids}`
    await allowed?.reserve?.(intentId, expiresAt)
    return intentId
  }
  return {
    admit: (no: number, transaction: PlannedTransaction, expiresAt: number) =>
      build(no, transaction, expiresAt).catch(refusedAs('forbidden')),
    /** The windows that the transaction does not fit into, with the time at which it would. */
    async clears(
      no: number,
      transaction: PlannedTransaction,
    ): Promise<ReadonlyMap<string, number | undefined>> {
      const { breaches } = await judge({ no, policyRevision: 1 }, transaction, deadline)
      return new Map(breaches.map(({ limit, clearsAt }) => [limit.split(' per ')[1] ?? '', clearsAt]))
    },
    /** Looks at the chain, as the service does before every build that unstakes. */
    markExecuted: () => mark(sender, deadline),
    release: (no: number, id: string) =>
      release({ no, policyRevision: 1 }, id, deadline).then(() => true, refusedAs('invalid_input')),
  }
}

type Stake = ChainNow & { readonly validatorId: string; readonly amount: bigint }

export function planned(sender: string, { validatorId, amount, ...chain }: Stake): PlannedTransaction {
  return transactionOf(sender, chain, {
    action: { kind: 'stake', validatorId, amount },
    moved: { validatorId, amount, owner: undefined, token: undefined },
  })
}

/** A join: the first token remains and absorbs the other. */
export function plannedJoin(first: StakedToken, other: StakedToken, chain: ChainNow): PlannedTransaction {
  const { validatorId, owner, id, principal } = first
  return transactionOf(owner, chain, {
    action: { kind: 'join', stakedTokenIds: [id, other.id] },
    moved: { validatorId, amount: other.principal, owner, token: { id, principal }, joinedIds: [other.id] },
  })
}

/** The chain's present epoch and its start. */
export type ChainNow = { readonly epoch: number; readonly epochStartedAt: number }

const timesOf = ({ epoch: number, epochStartedAt: startedAt }: ChainNow) => {
  const durationMs = endOf(number) - startedAt
  return {
    number,
    startedAt,
    durationMs,
    staking: { hasChainEpochs: true, hasTwoSteps: true, durationMs },
  }
}

/** End of an epoch: later than any other time of the model. */
export const endOf = (epoch: number): number => Date.UTC(2100, 0, epoch)

function transactionOf(
  sender: string,
  chain: ChainNow,
  planned: Pick<PlannedTransaction['planned'][number], 'action' | 'moved'>,
): PlannedTransaction {
  const { epoch } = chain
  const snapshot = { network: 'sandbox', epoch: timesOf(chain), chainEpoch: epoch }
  return {
    // The rules of this policy read nothing else of the network.
    view: { snapshot, byId: new Map() } as unknown as NetworkView,
    planned: [{ ...planned, epoch: epoch + 1, summary: '', warnings: [], leaving: undefined }],
    sender,
    isBatch: false,
  }
}
