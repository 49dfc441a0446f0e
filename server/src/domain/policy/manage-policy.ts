import type { Clock } from '#ports/clock.ts'
import type { Digest } from '#ports/digest.ts'
import type { Policies, PolicyDocument, PolicyRevision } from '#ports/stores/policies.ts'
import { call, Fault, refusal, wrongFields } from '../../fault.ts'
import { agentNotFound, scopeOf } from '../agents/management-rights.ts'
import { type Manager, recordBy } from '../agents/manager.ts'
import { NOTICES, type Notify } from '../agents/notices.ts'
import { canonicalJson } from '../canonical-json.ts'
import { readNumberCursor } from './number-cursor.ts'
import { newContradictions } from './revisions/contradictions.ts'
import { loosens } from './revisions/loosens.ts'
import { pauseChange } from './revisions/pause-change.ts'
import { type ChangeLimits, refuseManyChanges } from './revisions/refuse-many-changes.ts'

type Needs = {
  readonly policies: Policies
  readonly clock: Clock
  readonly digest: Digest
  readonly notify: Notify
  readonly limits: ChangeLimits
}

/** The newest revision, and earlier ones still in force. */
export type CurrentPolicy = { readonly newest: PolicyRevision; readonly beside: readonly PolicyRevision[] }

export const currentPolicy = ([newest, ...beside]: readonly PolicyRevision[]): CurrentPolicy | undefined =>
  newest && { newest, beside }

export function readPolicy({ policies, clock }: Pick<Needs, 'policies' | 'clock'>) {
  return async ({ user }: Pick<Manager, 'user'>, agentId: string): Promise<CurrentPolicy | undefined> => {
    const scope = scopeOf(user)
    const held = scope && (await policies.heldBy(scope, agentId, clock.now()))
    if (!held) throw agentNotFound()
    return currentPolicy(held)
  }
}

export function listRevisions({ policies }: Pick<Needs, 'policies'>) {
  return async (
    { user }: Pick<Manager, 'user'>,
    agentId: string,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ): Promise<{ readonly revisions: readonly PolicyRevision[]; readonly next: string | null }> => {
    const scope = scopeOf(user)
    const before = readNumberCursor(page.cursor)
    const found = scope && (await policies.revisions(scope, agentId, { before, limit: page.limit }))
    if (!found) throw agentNotFound()
    const last = found.at(-1)?.revision ?? 1
    return { revisions: found, next: found.length < page.limit || last === 1 ? null : String(last) }
  }
}

/** Adds a revision. The previous one is kept, and stays in force for its `loosenAfterSeconds`. */
export function writePolicy({ policies, clock, digest, notify, limits }: Needs) {
  const refuseMany = refuseManyChanges({ policies, limits })
  return async (
    manager: Manager,
    agentId: string,
    document: PolicyDocument,
    replaces: number | undefined,
  ): Promise<CurrentPolicy | undefined> => {
    const { user } = manager
    const scope = scopeOf(user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    // A revision never changes, and nothing is written unless this is the one to replace.
    const page = { before: (replaces ?? 0) + 1, limit: 1 }
    const [before] = (await policies.revisions(scope, agentId, page)) ?? []
    const [wrong, ...alsoWrong] = newContradictions(document.rules, before?.document.rules ?? [], now)
    if (wrong) throw wrongFields(wrong, ...alsoWrong)
    const change = pauseChange(before?.document, document)
    // A pause must always be possible.
    if (replaces && change !== 'paused') await refuseMany(scope, agentId, replaces, now)
    const about = before && loosens(before.document, document) ? NOTICES.loosenPolicy : NOTICES.setPolicy
    const record = recordBy(manager, {
      actions: ['set-policy'],
      at: now,
      notice: (agent) => notify(agent, about(agent, user.role), now),
    })
    const written = await policies.write(
      scope,
      agentId,
      {
        document,
        hash: digest(canonicalJson(document)),
        changedAt: now,
        changedBy: { id: user.id, role: user.role },
        change,
        replaces: replaces ?? 0,
      },
      record,
    )
    if (written.kind === 'not_found') throw agentNotFound()
    if (written.kind === 'revoked') throw agentRevoked()
    if (written.kind === 'conflict') throw conflict(agentId, replaces, written.revision)
    return currentPolicy(written.held)
  }
}

const agentRevoked = () =>
  refusal(
    'invalid_input',
    'This agent is revoked for good, and nothing is built for it any more.',
    `If another one has replaced it, its policy applies to that one: change it there. ${call('listAgents')} lists those you have.`,
    { next: { endpoint: 'listAgents' } },
  )

function conflict(agentId: string, replaces: number | undefined, revision: number): Fault {
  const next = { endpoint: 'readPolicy', given: { id: agentId } } as const
  const now = revision === 0 ? 'has no policy' : `has revision ${revision}`
  if (replaces === undefined) {
    const message = `is required: the agent ${now}. Read it, and name the revision that you replace`
    return new Fault('invalid_input', `\`revision\`, or the header If-Match, ${message}.`, {
      details: [{ field: 'If-Match', message }],
      fix: 'Read the policy, then send the same with its revision as `revision` or as the header If-Match.',
      next,
    })
  }
  return new Fault(
    'invalid_input',
    `The policy was changed meanwhile: the agent ${now}, not ${replaces}. Read it again.`,
    {
      status: 412,
      details: [{ field: 'If-Match', message: `is ${replaces}, and the agent ${now}` }],
      fix: 'Read the policy again, see whether your change still holds, and send it with the present revision as `revision` or as the header If-Match.',
      next,
    },
  )
}
