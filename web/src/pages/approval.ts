import { StakewrightError } from '@stakewright/client'
import { useAgent } from '../data/account/agents.ts'
import { useApproval } from '../data/account/approvals.ts'
import type { User } from '../data/account/session.ts'
import { sessionEnded, signOut, useUser } from '../data/account/user.ts'
import { useValidators } from '../data/queries.ts'
import { useStore } from '../data/store.ts'
import { approvalPath } from '../pages.ts'
import { approvalFacts } from '../parts/console/approvals/approval-facts.ts'
import { approvalBadge, OUTCOME_TEXTS, wishText } from '../parts/console/approvals/approval-text.ts'
import { DecideApproval } from '../parts/console/approvals/decide-approval.ts'
import { namesOf } from '../parts/console/validator-names.ts'
import { shortId } from '../parts/format.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'
import { nameText } from '../parts/validator-link.ts'

type Params = { readonly agent: string; readonly approval: string }

/** One transaction that needs its owner's approval: the target of the link in the mail. */
export default function ApprovalPage({
  params,
}: {
  readonly params: Readonly<Record<string, string>>
}): View {
  const user = useUser()
  const ended = useStore(sessionEnded)
  const { agent, approval } = params
  if (agent === undefined || approval === undefined) return html`<div class="page">${NONE_NAMED}</div>`
  return html`<div class="page">${user ? h(Details, { key: `${agent} ${approval}`, agent, approval, user }) : html`<div class="page-head"><div><h1>An agent asks for your approval</h1><p class="lede">Sign in as its owner to see what it wants to do. You come back to this page.</p></div></div>${h(SignIn, { ended })}`}</div>`
}

const NONE_NAMED = html`<div class="page-head"><h1>Approvals</h1></div><div class="card">${empty(
  'This address names no approval. What waits for you is in the console.',
  html`<a class="button" data-kind="primary" href="/console?agents=approvals">What waits for me</a>`,
)}</div>`

function Details({ agent, approval, user }: Params & { readonly user: User }): View {
  const found = useApproval(agent, approval)
  const asker = useAgent(agent)
  const names = namesOf(useValidators().data?.data ?? [])
  if (found.data === undefined && isMissing(found.error)) {
    const holder = holderOf(found.error, approval)
    return holder === undefined ? h(Missing, { user }) : h(Moved, { agent: holder, approval })
  }
  const name = asker.data?.agentName ?? shortId(agent)
  return whenLoaded(
    found,
    (data) => html`<div class="page-head"><div><a class="crumb" href="/console?agents=approvals">Approvals</a>
        <h1 class="wish">${nameText(name)} wants to ${wishText(data, names)}</h1>
        <p class="row small" role="status">${approvalBadge(data.state)}<span class="soft">${OUTCOME_TEXTS[data.state]}</span></p></div></div>
      <div class="card stack approval">${approvalFacts({ agent: { id: agent, name }, approval: data, names })}
        ${h(DecideApproval, { agent: { id: agent, name }, approval: data, names })}</div>`,
    html`<div class="page-head"><h1>Approval</h1></div>${skeleton('100%', '420px')}`,
  )
}

/** The id of the replacement agent that holds the approval now. */
function holderOf(error: unknown, approval: string): string | undefined {
  const path = error instanceof StakewrightError ? error.next?.path : undefined
  const [, holder, of] = path?.split(/\/agents\/|\/approvals\//) ?? []
  return of === approval ? holder : undefined
}

const Moved = ({ agent, approval }: Params): View =>
  html`<div class="page-head"><h1>Approval</h1></div><div class="card">${empty(
    'Another agent has replaced the one that asked. What it asked for, and its policy, have passed to that one.',
    html`<div class="row center"><a class="button" data-kind="primary" href=${approvalPath(agent, approval)}>See what it asks for</a><a class="button" href="/console">My agents</a></div>`,
  )}</div>`

const isMissing = (error: unknown): boolean => error instanceof StakewrightError && error.code === 'not_found'

const Missing = ({ user }: { readonly user: User }): View =>
  html`<div class="page-head"><h1>Approval</h1></div><div class="card">${empty(
    `No agent of ${user.name} has asked for this. It may belong to another address of yours.`,
    html`<div class="row center"><button type="button" class="button" data-kind="primary" onClick=${signOut}>Sign in as somebody else</button><a class="button" href="/console">My agents</a></div>`,
  )}</div>`
