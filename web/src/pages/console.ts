import { useState } from 'preact/hooks'
import { type Agent, useAgents } from '../data/account/agents.ts'
import { useWaitingApprovals } from '../data/account/approvals.ts'
import { lacksFactor, useFactor } from '../data/account/second-factor.ts'
import type { User } from '../data/account/session.ts'
import { isAdmin, sessionEnded, signOut, useUser } from '../data/account/user.ts'
import { oneOf, readParts } from '../data/address/read-parts.ts'
import type { PagedList } from '../data/lists/paged-list.ts'
import { setQuery, usePlace } from '../data/router.ts'
import { useStore } from '../data/store.ts'
import { unreadParts } from '../parts/address/unread-parts.ts'
import { badge, waitingCount } from '../parts/badge.ts'
import { ActionLog } from '../parts/console/action-log.ts'
import { agentsTable } from '../parts/console/agents-table.ts'
import { AllAgents } from '../parts/console/all-agents.ts'
import { ApprovalsView, LISTED_STATES } from '../parts/console/approvals/approvals-view.ts'
import { factorNotice, factorWanted } from '../parts/console/factor/factor-notice.ts'
import { ListEnd } from '../parts/console/list-end.ts'
import { RegisterAgent, registeredKey } from '../parts/console/register-agent.ts'
import { ServiceHealth } from '../parts/console/service-health.ts'
import { Sessions } from '../parts/console/sessions.ts'
import { BrokenLog } from '../parts/console/verify-log.ts'
import { SignIn } from '../parts/forms/sign-in.ts'
import { h, html, type View } from '../parts/html.ts'
import { Id } from '../parts/id.ts'
import { empty, skeleton, whenLoaded } from '../parts/state.ts'

/** The agents of the user, their approvals and, for admins, everybody's agents and actions. */
export default function Console(): View {
  const user = useUser()
  const ended = useStore(sessionEnded)
  return html`<div class="page">${user ? h(SignedIn, { user }) : html`<div class="page-head"><div><h1>Console</h1><p class="lede">Your agents: what they may do, what they did, and a way to stop them at once.</p></div></div>${h(SignIn, { ended })}`}</div>`
}

/** The views of the console; some are for admins only. */
const VIEWS = { mine: 'My agents', approvals: 'Approvals', all: 'Everybody’s', actions: 'Actions' } as const
type ViewName = keyof typeof VIEWS
const ADMIN_VIEWS: readonly ViewName[] = ['all', 'actions']
const isView = (text: string): text is ViewName => text in VIEWS
const viewsFor = (admin: boolean): readonly ViewName[] =>
  Object.keys(VIEWS)
    .filter(isView)
    .filter((name) => admin || !ADMIN_VIEWS.includes(name))

function SignedIn({ user }: { readonly user: User }): View {
  const admin = isAdmin(user)
  const { read, unread } = readParts(usePlace().query)
  const views = viewsFor(admin)
  const view = read<ViewName>(
    'agents',
    oneOf(views),
    'mine',
    `you can see ${views.join(', ')} here, and these are your own agents`,
  )
  const state = read('state', oneOf(LISTED_STATES), 'waiting', 'these are the approvals that wait')
  const whose = read(
    'whose',
    oneOf(admin ? ['all', 'mine'] : ['mine']),
    'mine',
    'these are of your own agents',
  )
  const factor = useFactor(admin)
  const isKnown = !admin || factor.data !== undefined || factor.error !== undefined
  const isBarred = lacksFactor(factor)
  const agents = useAgents(view === 'mine' && isKnown && !isBarred ? {} : undefined)
  const [isNew, setIsNew] = useState(false)
  if (!isKnown || isBarred)
    return html`<div class="page-head"><div><h1>Console</h1>${whoLine(user, admin)}</div></div>${isBarred ? factorWanted : skeleton('100%', '320px')}`
  return html`<div class="page-head"><div><h1>Console</h1>${whoLine(user, admin)}</div>
      <div class="actions"><button type="button" class="button" data-kind=${agents.data?.length === 0 ? undefined : 'primary'} aria-expanded=${isNew} onClick=${() => setIsNew(true)}>Register an agent</button></div></div>
    ${registeredKey()}
    ${isNew && h(RegisterAgent, { admin, close: () => setIsNew(false) })}
    ${factor.data && factorNotice(factor.data)}
    ${admin && h(BrokenLog, {})}
    ${unreadParts(unread)}
    ${h(ViewButtons, { view, admin })}
    ${admin && view !== 'approvals' && html`<section class="admin" aria-label="Service">${h(ServiceHealth, {})}</section>`}
    ${view === 'approvals' && h(ApprovalsView, { state, all: whose === 'all', admin })}
    ${view === 'actions' && h(ActionLog, {})}
    ${view === 'all' && h(AllAgents, {})}
    ${view === 'mine' && agentsPart(agents, isNew ? undefined : () => setIsNew(true))}
    ${view === 'mine' && h(Sessions, { isShown: isAnswered(agents) })}`
}

const whoLine = (user: User, admin: boolean): View =>
  html`<p class="lede row">${whoText(user)}${admin && badge('admin')}${admin && html`<a class="link-button" href="/console/second-factor">Second factor</a>`}<button type="button" class="link-button" onClick=${signOut}>Sign out</button></p>`

const whoText = ({ name }: User): View =>
  name.startsWith('0x') ? h(Id, { id: name, what: 'address of the wallet' }) : html`<bdi>${name}</bdi>`

function ViewButtons({ view, admin }: { readonly view: ViewName; readonly admin: boolean }): View {
  const { data: waiting = [], hasMore } = useWaitingApprovals()
  return html`<div class="row views"><div class="segments" role="group" aria-label="What to show">${viewsFor(
    admin,
  ).map(
    (name) =>
      html`<button type="button" aria-pressed=${view === name} onClick=${() => setQuery({ agents: name === 'mine' ? undefined : name, state: undefined, whose: undefined })}>${VIEWS[name]}${name === 'approvals' && waitingCount(waiting.length, hasMore)}</button>`,
  )}</div></div>`
}

/** Whether the list has its final height: parts below it that were shown earlier would move. */
const isAnswered = ({ data, error }: PagedList<Agent>): boolean => data !== undefined || error !== undefined

const agentsPart = (agents: PagedList<Agent>, register: (() => void) | undefined): View =>
  whenLoaded(
    agents,
    (data) =>
      data.length === 0
        ? html`<div class="card">${empty('You have no agent yet. Register one: it gets a key of its own, and here you see what it does, say what it may do, and stop it.', register && html`<button type="button" class="button" data-kind="primary" onClick=${register}>Register the first one</button>`)}</div>`
        : html`${agentsTable(data, false)}${h(ListEnd, { list: agents, what: 'agents', which: 'newest' })}`,
    skeleton('100%', '240px'),
  )
