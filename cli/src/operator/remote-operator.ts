import { createClient, type Reply } from '@stakewright/client'
import type { IssuedToken } from '@stakewright/server/operator/issue-token.ts'
import type { OperatedAgent, Operator } from '@stakewright/server/operator/operator.ts'

const PAGE = 100

/** Calls a running service as an admin, in a session that ends with the command. */
export function remoteOperator(
  baseUrl: string,
  { token, sessionId }: Pick<IssuedToken, 'token' | 'sessionId'>,
): Operator {
  const client = createClient({ baseUrl, token })
  return {
    async listAgents() {
      const agents: OperatedAgent[] = []
      let cursor: string | undefined
      do {
        const page = await client.listAgents({ all: true, limit: PAGE, ...(cursor && { cursor }) })
        agents.push(...page.data.map(toOperated))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return agents
    },
    async revoke(id) {
      const { data } = await client.revokeAgent({ id })
      return { id, revokedAt: data.revokedAt }
    },
    setStatus: async (id, status) => toOperated((await client.updateAgent({ id, status })).data),
    async [Symbol.asyncDispose]() {
      // A failure here was already reported by the command itself, and the session expires anyway.
      await client.endSession({ id: sessionId }).catch(() => undefined)
    },
  }
}

function toOperated(agent: Reply<'updateAgent'>['data']): OperatedAgent {
  const { id, agentName, owner, tier, status, keyPrefix, createdAt, lastUsedAt } = agent
  return { id, agentName, owner, tier, status, keyPrefix, createdAt, lastUsedAt }
}
