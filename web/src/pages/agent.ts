import { StakewrightError } from '@stakewright/client'
import { type Agent, useAgent } from '../data/account/agents.ts'
import { hasMailbox } from '../data/account/mailbox.ts'
import { isAdmin, sessionEnded, useUser } from '../data/account/user.ts'
import { usePageTitle } from '../data/page-title.ts'
import { usePolicy } from '../data/policy/policy.ts'
import { isStopped } from '../data/policy/rules.ts'
import { useStore } from '../data/store.ts'
import { AGENT_KINDS, IDENTITIES } from '../data/words/api-words.ts'
import { agentBadge, badge } from '../parts/badge.ts'
import { AgentControls } from '../parts/console/agent-controls.ts'
import { AgentHistory } from '../parts/console/agent-history.ts'
import { AgentProfile } from '../parts/console/agent-profile.ts'
import { AgentRequests } from '../parts/console/agent-requests.ts'
import { stateNotice, UsedUpNotice } from '../parts/console/agent-state.ts'
import { AgentUsage } from '../parts/console/agent-usage.ts'
import { AgentApprovals } from '../parts/console/approvals/agent-approvals.ts'
import { NamedKeys } from '../parts/console/keys/named-keys.ts'
import { PreviousKey } from '../parts/console/keys/previous-key.ts'
import { AgentPolicy } from '../parts/console/policy/agent-policy.ts'
import { AgentReservations } from '../parts/console/reservations/agent-reservations.ts'
import { formatCount, shortOwner } from '../parts/format.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { stats } from '../parts/stat.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { Ago } from '../parts/time.ts'
import { nameText } from '../parts/validator-link.ts'

/** One agent: what it did, what it may do, and how to stop it. */
export default function AgentPage({ params }: { readonly params: Readonly<Record<string, string>> }): View {
  const user = useUser()
  const ended = useStore(sessionEnded)
  const id = params['id'] ?? ''
  // Keyed by the id: a confirmation that was opened for one agent must not be open on the page of another.
  return html`<div class="page">${user ? h(Details, { key: id, id, admin: isAdmin(user) }) : html`<div class="page-head"><h1>Agent</h1></div>${h(SignIn, { ended })}`}</div>`
}

function Details({ id, admin }: { readonly id: string; readonly admin: boolean }): View {
  const agent = useAgent(id)
  if (agent.data === undefined && isMissing(agent.error))
    return html`<div class="page-head"><h1>Agent</h1></div>${empty('You have no agent with this id.', html`<a class="button" href="/console">All agents</a>`)}`
  return whenLoaded(agent, (data) => h(Found, { agent: data, admin }), skeleton('100%', '320px'))
}

const isMissing = (error: unknown): boolean => error instanceof StakewrightError && error.code === 'not_found'

function Found({ agent, admin }: { readonly agent: Agent; readonly admin: boolean }): View {
  const {
    id,
    agentName,
    agentType,
    owner,
    status,
    tier,
    identityTier,
    rateLimits,
    createdAt,
    lastUsedAt,
    keyPrefix,
    rotatedAt,
    previousKey,
  } = agent
  const isEnded = status === 'revoked' || status === 'expired'
  const policy = usePolicy(id).data
  usePageTitle(agentName)
  return html`<div class="page-head"><div><a class="crumb" href="/console">Console</a><h1>${nameText(agentName)}</h1>
      <p class="row small">${agentBadge(status, isStopped(policy ?? null))} ${badge(`${tier} tier`)} ${h(Id, { id, what: 'agent id' })}</p></div></div>
    ${stats([
      {
        label: 'Key',
        value: html`<span class="id">${keyPrefix}…</span>`,
        note: rotatedAt === null ? 'never rotated' : html`rotated ${h(Ago, { at: rotatedAt })}`,
      },
      {
        label: 'Limits',
        value: `${formatCount(rateLimits.rpm)} / min`,
        note: `${formatCount(rateLimits.rpd)} a day`,
      },
      {
        label: 'Last used',
        value: lastUsedAt === null ? 'never' : h(Ago, { at: lastUsedAt }),
        note: html`registered ${h(Ago, { at: createdAt })}`,
      },
      {
        label: 'Owner',
        value: html`<bdi class="owner" title=${owner}>${shortOwner(owner)}</bdi>`,
        note: `${AGENT_KINDS[agentType]}; ${IDENTITIES[identityTier]}`,
      },
    ])}
    ${stateNotice(status, admin)}${h(UsedUpNotice, { agent, admin })}
    ${previousKey && h(PreviousKey, { agentId: id, previousKey })}
    <div class="grid section">
      <section class="card span-8" aria-label="Use">${h(AgentUsage, { id, limit: rateLimits.rpd })}</section>
      <section class="card span-4 stack start" aria-labelledby="profile">${h(AgentProfile, { id })}</section>
    </div>
    ${!isEnded && html`<section class="section" aria-labelledby="actions"><h2 id="actions">Actions</h2><p class="small soft">${actionsText(status, isStopped(policy ?? null), admin)}</p><div class="actions-list">${h(AgentControls, { agent, admin })}</div></section>`}
    ${h(AgentPolicy, { id, agentName, isMailed: hasMailbox(owner), isEnded })}
    ${!isEnded && h(AgentReservations, { id, policy: policy ?? null })}
    ${h(AgentApprovals, { id })}
    ${h(NamedKeys, { id, isOpen: status === 'active' })}
    ${h(AgentHistory, { id })}
    ${h(AgentRequests, { id, admin })}`
}

/** Hints that the buttons do not give: how to stop it for a while, and who may do what its owner may not. */
const actionsText = (status: Agent['status'], isPaused: boolean, admin: boolean): string =>
  [
    status === 'active' && !isPaused
      ? 'To stop it for a while, pause it under “Policy”: then it builds nothing, and may still read.'
      : '',
    admin ? '' : 'Its limits are set by an admin of this service, who can also suspend it: ask one for more.',
  ].join(' ')
