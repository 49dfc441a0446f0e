import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { AgentKeys, KeyScope, NamedKey, NewNamedKey } from '#ports/stores/agent-keys.ts'
import { DAY_MS } from '../../../durations.ts'
import { call, refusal, wrongField, wrongFields } from '../../../fault.ts'
import { stepRefused, TRANSITIONS } from '../agent-state.ts'
import { agentNotFound, scopeOf } from '../management-rights.ts'
import { type Manager, type Once, onceWith, recordBy } from '../manager.ts'
import { NOTICES, type Notify } from '../notices.ts'
import { networkProblem } from './allowed-networks.ts'
import { issueKey } from './api-key.ts'

type Needs = {
  readonly keys: AgentKeys
  readonly secrets: Secrets
  readonly clock: Clock
  readonly notify: Notify
  /** The limit of valid named keys of one agent. */
  readonly mostKeys: number
  /** The limit of ended keys that stay listed, because a list has all of them. */
  readonly keptEnded: number
}

/** How long an ended key stays listed for its owner. */
const KEPT_AFTER_END_MS = 30 * DAY_MS

export type CurrentKey = NamedKey & { readonly status: 'active' | 'expired' | 'revoked' }

type Wishes = {
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly networks: readonly string[]
  readonly expiresAt: number | undefined
}

export function listNamedKeys({ keys, clock }: Needs) {
  return async ({ user }: Pick<Manager, 'user'>, agentId: string): Promise<readonly CurrentKey[]> => {
    const scope = scopeOf(user)
    const found = scope && (await keys.list(scope, agentId))
    if (!found) throw agentNotFound()
    return found.map((key) => currentKey(key, clock.now()))
  }
}

export type MadeKey = { readonly key: CurrentKey; readonly apiKey: string }

export function createNamedKey({ keys, secrets, clock, notify, mostKeys, keptEnded }: Needs) {
  return async (
    manager: Manager,
    agentId: string,
    wishes: Wishes,
    once?: Once<MadeKey>,
  ): Promise<MadeKey> => {
    const { role } = manager.user
    const scope = scopeOf(manager.user)
    if (!scope) throw agentNotFound()
    const now = clock.now()
    refuseWishes(wishes, now)
    const { apiKey, record } = issueKey(secrets)
    const key: NewNamedKey = { ...wishes, id: secrets.newKeyId(), createdAt: now, key: record }
    const made = { ...key, prefix: record.prefix, lastUsedAt: undefined, revokedAt: undefined }
    const output = { key: currentKey(made, now), apiKey }
    const added = await keys.add(
      scope,
      agentId,
      key,
      { step: TRANSITIONS.rotate, most: mostKeys, forgetBefore: now - KEPT_AFTER_END_MS, keptEnded },
      recordBy(manager, {
        actions: ['create-key'],
        at: now,
        once: onceWith(once, () => output),
        notice: (agent) => notify(agent, NOTICES.createKey(agent, record.prefix, role), now),
      }),
    )
    if (added.kind === 'not_found') throw agentNotFound()
    if (added.kind === 'refused') throw stepRefused('not_found', added.agent, now)
    if (added.kind === 'too_many') throw tooMany(mostKeys)
    return output
  }
}

/**
 * Revokes a named key or, without an id, the replaced key in its grace period. Idempotent: for a revoked key it
 * returns the time of its revocation.
 */
export function revokeNamedKey({ keys, clock, notify }: Needs) {
  return async (
    manager: Manager,
    agentId: string,
    keyId: string | undefined,
  ): Promise<{ readonly revokedAt: number }> => {
    const { role } = manager.user
    const scope = scopeOf(manager.user)
    const now = clock.now()
    const record = recordBy(manager, {
      actions: ['revoke-key'],
      at: now,
      notice: (agent, prefix) => notify(agent, NOTICES.revokeKey(agent, prefix, role), now),
    })
    const revoked =
      scope &&
      (await (keyId === undefined
        ? keys.endPrevious(scope, agentId, now, record)
        : keys.revoke(scope, agentId, keyId, now, record)))
    if (!revoked) throw keyNotFound()
    return revoked
  }
}

function currentKey(key: NamedKey, now: number): CurrentKey {
  const isExpired = key.expiresAt !== undefined && now >= key.expiresAt
  return { ...key, status: key.revokedAt !== undefined ? 'revoked' : isExpired ? 'expired' : 'active' }
}

function refuseWishes({ networks, expiresAt }: Wishes, now: number): void {
  if (expiresAt !== undefined && expiresAt <= now) throw wrongField('expiresAt', 'must be in the future')
  for (const [index, network] of networks.entries()) {
    const wrong = networkProblem(network)
    if (wrong) throw wrongFields({ ...wrong, field: `allowedNetworks[${index}]` })
  }
}

const tooMany = (most: number) =>
  refusal(
    'invalid_input',
    `This agent has ${most} named keys that work, which is the maximum.`,
    'Revoke one first.',
  )

/** The same refusal for a missing agent or key and for one of somebody else, so that it reveals nothing. */
const keyNotFound = () =>
  refusal('not_found', 'You have no key with this id.', `${call('listKeys')} lists those of an agent.`, {
    next: { endpoint: 'listKeys' },
  })
