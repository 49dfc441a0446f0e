import type { Agent } from '../../data/account/agents.ts'
import { countByDay, isWithin } from '../../data/account/days.ts'
import type { PagedList } from '../../data/lists/paged-list.ts'
import { dayBars } from '../../plots/day-bars.ts'
import { Figure } from '../figure.ts'
import { formatCount, formatUtcDate, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { ListEnd } from './list-end.ts'

const DAYS = 30

/** Registrations of agents per day. */
export function registrations(agents: readonly Agent[], list: PagedList<Agent>): View {
  const registered = agents.map(({ createdAt }) => ({ at: createdAt, name: 'registrations' }))
  const days = countByDay(registered, Date.now(), DAYS)
  const counts = days.map(({ at, parts }) => ({ at, count: parts[0]?.count ?? 0 }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const most = counts.toSorted((a, b) => b.count - a.count)[0]
  const isCut = list.hasMore && isWithin(agents.at(-1)?.createdAt, days)
  const cut = isCut ? `, counting the newest ${formatCount(agents.length)}` : ''
  const peak = most && most.count > 0 ? `; most on ${formatUtcDate(most.at)}: ${formatCount(most.count)}` : ''
  return html`${h(Figure, {
    title: 'Registrations per day',
    level: 2,
    caption: `${plural(total, 'agent')} registered in ${DAYS} days${cut}${peak}.`,
    table: () => ({
      head: ['Day, UTC', 'Registrations'],
      rows: counts.toReversed().map(({ at, count }) => [formatUtcDate(at), formatCount(count)]),
    }),
    children: dayBars({ days, colours: new Map([['registrations', 0]]), limit: undefined }),
  })}${isCut && h(ListEnd, { list, what: 'agents', which: 'newest' })}`
}
