import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { ActionName, Actor } from '#ports/stores/agent-actions.ts'
import type { Agent, Agents } from '#ports/stores/agents.ts'
import { call, refusal } from '../../../fault.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { ANYBODY, circumstances, type Origin } from '../manager.ts'
import { namedAgent } from '../named-agent.ts'
import type { Notify } from '../notices.ts'

type Needs = {
  readonly agents: Pick<Agents, 'revokeByKey'>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly notify: Notify
}

/** Lets a key revoke itself, without mail or sign-in. */
export function revokeOwnKey(needs: Needs) {
  const revoke = revokeWith(needs)
  return async (
    caller: Origin & { readonly keyDigest: string; readonly agentId: string },
  ): Promise<{ readonly id: string; readonly revokedAt: number }> => {
    const { keyDigest, agentId } = caller
    const now = needs.clock.now()
    const agent = await revoke(keyDigest, now, caller, {
      action: 'revoke-self',
      actor: { kind: 'agent', id: agentId, role: undefined },
      subject: 'A Stakewright API key has revoked itself',
      what: 'was revoked by a call that was made with the key itself',
    })
    // A concurrent call has revoked the key after this one was admitted.
    if (!agent)
      throw refusal(
        'unauthorized',
        'This key has been revoked.',
        `Register a new agent with ${call('selfRegister')}.`,
        { next: { endpoint: 'selfRegister' } },
      )
    return { id: agent.id, revokedAt: now }
  }
}

/**
 * Lets anybody who has found a leaked key revoke it. The text may contain more than the key: an escaped newline,
 * quotes, the name of a variable. The answer is the same whether the key works or not.
 */
export function reportLeakedKey(needs: Needs) {
  const revoke = revokeWith(needs)
  return async (text: string, origin: Origin): Promise<{ readonly agentId: string | undefined }> => {
    let agentId: string | undefined
    for (const apiKey of needs.secrets.apiKeysIn(text)) {
      const agent = await revoke(needs.secrets.digest('key', apiKey), needs.clock.now(), origin, {
        action: 'report-leak',
        actor: ANYBODY,
        subject: 'A Stakewright API key was reported as leaked and revoked',
        what: 'was reported as leaked by somebody who had the whole key, and was revoked at once',
      })
      agentId ??= agent?.id
    }
    return { agentId }
  }
}

type Reason = {
  readonly action: ActionName
  readonly actor: Actor
  readonly subject: string
  readonly what: string
}

function revokeWith({ agents, notify }: Needs) {
  return (keyDigest: string, now: number, origin: Origin, reason: Reason): Promise<Agent | undefined> =>
    agents.revokeByKey(
      keyDigest,
      { step: TRANSITIONS.revoke, now },
      {
        ...circumstances(reason.actor, origin, now),
        actions: [reason.action],
        notice: (agent, keyPrefix) =>
          notify(
            agent,
            {
              kind: agent.storedStatus === 'revoked' ? 'agents' : 'ended keys',
              subject: reason.subject,
              lines: linesAbout(agent, keyPrefix, reason.what),
            },
            now,
          ),
      },
    )
}

function linesAbout(agent: Agent, ended: string | undefined, what: string): readonly string[] {
  const { keyPrefix, storedStatus } = agent
  if (storedStatus !== 'revoked') {
    return [
      `The key ${ended}… of your agent ${namedAgent(agent)} ${what}.`,
      `Its primary key, ${keyPrefix}…, goes on working.`,
    ]
  }
  return [
    `The key ${keyPrefix}… of your agent ${namedAgent(agent)} ${what}. The agent is revoked for good.`,
    'If its key was leaked, find out where before you register a new agent.',
  ]
}
