import type { Reply } from '@stakewright/contract'
import type { JudgeTransaction } from '#domain/policy/judge-transaction.ts'
import {
  type CurrentPolicy,
  currentPolicy,
  listRevisions,
  readPolicy,
  writePolicy,
} from '#domain/policy/manage-policy.ts'
import type { PoliciesInForce } from '#domain/policy/policies-in-force.ts'
import type { releaseReservation } from '#domain/policy/reservations/release-reservation.ts'
import type { buildTransactions } from '#domain/staking/transactions/build-transaction.ts'
import type { PolicyRevision } from '#ports/stores/policies.ts'
import type { User } from '#ports/stores/users.ts'
import { toIso } from '../../../basics/iso-time.ts'
import { wrongField } from '../../../fault.ts'
import type { TokenUnit } from '../../../networks.ts'
import type { Endpoints } from '../../endpoint.ts'
import { storeCursor } from '../../lists/store-cursor.ts'
import { managerOf } from '../identity/managed-call.ts'
import { toBrokenRule } from '../shapes.ts'
import { toBatchItem } from '../transactions.ts'
import { toDecidingUser } from './deciding-user.ts'

/** Policies, for users that manage agents. */
export function policyEndpoints(needs: Parameters<typeof writePolicy>[0], token: TokenUnit) {
  const read = readPolicy(needs)
  const list = listRevisions(needs)
  const write = writePolicy(needs)
  return {
    readPolicy: {
      handle: async ({ id }, { caller }) => ({
        answer: toAnswer(await read(caller, id), caller.user, token),
      }),
    },
    writePolicy: {
      handle: async ({ id, rules, loosenAfterSeconds, revision }, call) => {
        call.note({ agentId: id })
        const replaces = revisionToReplace(call.replaces, revision)
        const document = { rules: [...rules], loosenAfterSeconds }
        const written = await write(managerOf(call), id, toDocument(document), replaces)
        return { answer: toAnswer(written, call.caller.user, token) }
      },
    },
    policyRevisions: {
      handle: async (input, { caller }) => {
        const cursor = storeCursor('policyRevisions', input)
        const page = { cursor: cursor.place, limit: input.limit }
        const { revisions, next } = await list(caller, input.id, page)
        const data = revisions.map((revision) => toRevision(revision, caller.user))
        return { reply: { success: true, data, nextCursor: cursor.at(next), ...token } }
      },
    },
  } satisfies Endpoints
}

type AgentNeeds = {
  readonly judge: JudgeTransaction
  readonly release: ReturnType<typeof releaseReservation>
  readonly build: Pick<ReturnType<typeof buildTransactions>, 'planItems'>
  readonly inForce: PoliciesInForce
  readonly clock: { now(): number }
  readonly token: TokenUnit
}

/** Endpoints for an agent about its own policy. */
export function ownPolicyEndpoints({ judge, release, build, inForce, clock, token }: AgentNeeds) {
  return {
    ownPolicy: {
      handle: async (_, { caller: { agent } }) => ({
        reply: { policy: toPolicy(currentPolicy(await inForce(agent, clock.now())), undefined), ...token },
      }),
    },
    releaseReservation: {
      handle: async ({ intentId }, { caller: { agent }, signal }) => {
        await release(agent, intentId, signal())
        return { reply: { intentId, released: true } }
      },
    },
    simulatePolicy: {
      requires: 'fresh data',
      handle: async ({ items, sender }, { caller: { agent }, signal }) => {
        const { view, planned } = await build.planItems(items.map(toBatchItem), sender, signal())
        const transaction = { view, planned, sender, isBatch: true }
        const { policy, needsApproval, breaches } = await judge(agent, transaction, signal())
        return {
          reply: {
            allowed: breaches.length === 0,
            revision: policy?.revision ?? null,
            policyHash: policy?.hash ?? null,
            broken: breaches.map(toBrokenRule),
            needsApproval,
            ...token,
          },
        }
      },
    },
  } satisfies Endpoints
}

/** Safe because checked input is never modified; only the readonly types differ. */
const toDocument = (document: unknown): PolicyRevision['document'] => document as PolicyRevision['document']

/** A revision by the version that the client replaces, or by field; the two must not differ. */
function revisionToReplace(version: string | undefined, revision: number | undefined): number | undefined {
  if (version === undefined) return revision
  const number = /^\d{1,9}$/.test(version) ? version : undefined
  const message =
    number === undefined ? 'must be a revision, such as "3"' : 'and `revision` name different revisions'
  if (number !== undefined && (revision === undefined || revision === Number(number))) return Number(number)
  throw wrongField('If-Match', message)
}

function toAnswer(policy: CurrentPolicy | undefined, viewer: User, token: TokenUnit) {
  const body: Reply<'readPolicy'> = { success: true, data: toPolicy(policy, viewer), ...token }
  return { body, version: { id: String(policy?.newest.revision ?? 0), isExact: true } }
}

function toPolicy(policy: CurrentPolicy | undefined, viewer: User | undefined): Reply<'readPolicy'>['data'] {
  return policy === undefined
    ? null
    : {
        ...toRevision(policy.newest, viewer),
        beside: policy.beside.map(({ revision, document: { rules }, holdsUntil = 0 }) => ({
          revision,
          rules,
          until: toIso(holdsUntil),
        })),
      }
}

function toRevision(
  { revision, hash, document, changedAt, changedBy }: PolicyRevision,
  viewer: User | undefined,
) {
  const by = toDecidingUser(changedBy, viewer)
  return { revision, hash, ...document, changedAt: toIso(changedAt), changedBy: by }
}
