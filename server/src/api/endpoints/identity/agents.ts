import assert from 'node:assert/strict'
import { TIERS } from '@stakewright/contract'
import { agentStandings } from '#domain/agents/agent-standings.ts'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import { revokeAgent } from '#domain/agents/keys/revoke-agent.ts'
import { type Rotated, rotateKey } from '#domain/agents/keys/rotate-key.ts'
import { listAgents, readAgent } from '#domain/agents/list-agents.ts'
import type { Notify } from '#domain/agents/notices.ts'
import { type Registered, registerAgent } from '#domain/agents/registration/register-agent.ts'
import { refuseUpdate, updateAgent } from '#domain/agents/update-agent.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { AgentKeys } from '#ports/stores/agent-keys.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { Policies } from '#ports/stores/policies.ts'
import type { RequestLog } from '#ports/stores/request-log.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'
import { storeCursor } from '../../lists/store-cursor.ts'
import type { DoOnce } from '../../once/do-once.ts'
import { toItem, toKey } from '../shapes.ts'
import { managerOf, STORE_IT } from './managed-call.ts'

type Needs = {
  readonly agents: Agents
  readonly keys: AgentKeys
  readonly policies: Policies
  readonly requestLog: RequestLog
  readonly secrets: Secrets
  readonly clock: Clock
  readonly notify: Notify
  readonly once: DoOnce
  readonly perOwner: number
}

/** Management of agents by users and admins. */
export function agentsEndpoints(needs: Needs) {
  const list = listAgents({ ...needs, tiers: TIERS })
  const read = readAgent({ ...needs, tiers: TIERS })
  const register = registerAgent({ ...needs, tiers: TIERS })
  const rotate = rotateKey({ ...needs, tiers: TIERS })
  const revoke = revokeAgent(needs)
  const update = updateAgent({ ...needs, tiers: TIERS })
  const standings = agentStandings(needs)
  const toItems = async (agents: readonly CurrentAgent[]) => (await standings(agents)).map(toItem)
  const toOnlyItem = async (agent: CurrentAgent) => {
    const [item] = await toItems([agent])
    assert(item, 'each agent has its standing')
    return item
  }
  return {
    listAgents: {
      handle: async (input, { caller: { user } }) => {
        const { all, limit, search, status, exceptName } = input
        const cursor = storeCursor('listAgents', input)
        const { agents, next } = await list(user, {
          all,
          cursor: cursor.place,
          limit,
          filter: { search, status, exceptName },
        })
        return { reply: { success: true, data: await toItems(agents), nextCursor: cursor.at(next) } }
      },
    },
    readAgent: {
      handle: async ({ id }, { caller: { user } }) => ({
        reply: { success: true, data: await toOnlyItem(await read(user, id)) },
      }),
    },
    registerAgent: {
      handle: async ({ agentName, agentType, tier, email, rateLimits, replaces }, call) => {
        const wishes = { agentName, agentType, tier, email, rateLimits, replaces }
        return needs.once(call, {
          endpoint: 'registerAgent',
          status: 201,
          input: wishes,
          run: async (once) => {
            const made = await register(managerOf(call), wishes, once)
            call.note({ agentId: made.agent.id })
            return made
          },
          toReply: ({ agent, apiKey }: Registered) => ({
            success: true as const,
            data: toKey(agent, apiKey, STORE_IT),
          }),
        })
      },
    },
    updateAgent: {
      refuse: ({ user }) => refuseUpdate(user),
      handle: async ({ id, status, rateLimits }, call) => {
        const agent = await update(managerOf(call), id, { status, rateLimits })
        call.note({ agentId: agent.id })
        return { reply: { success: true, data: await toOnlyItem(agent) } }
      },
    },
    rotateKey: {
      handle: async ({ id, gracePeriodSeconds }, call) => {
        call.note({ agentId: id })
        return needs.once(call, {
          endpoint: 'rotateKey',
          status: 200,
          input: { id, gracePeriodSeconds },
          run: (once) => rotate(managerOf(call), id, gracePeriodSeconds, once),
          toReply: ({ agent, apiKey, previousKeyExpiresAt }: Rotated) => ({
            success: true as const,
            data: {
              ...toKey(agent, apiKey, STORE_IT),
              previousKeyExpiresAt: toIso(previousKeyExpiresAt),
            },
          }),
        })
      },
    },
    revokeAgent: {
      handle: async ({ id }, call) => {
        const revoked = await revoke(managerOf(call), id)
        call.note({ agentId: revoked.id })
        const data = { id: revoked.id, status: 'revoked' as const, revokedAt: toIso(revoked.revokedAt) }
        return { reply: { success: true, data } }
      },
    },
  } satisfies Endpoints
}
