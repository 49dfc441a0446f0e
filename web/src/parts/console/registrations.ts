import { type Agent, MOST_AGENTS } from '../../data/account/agents.ts'
import { countByDay } from '../../data/account/days.ts'
import { dayBars } from '../../plots/day-bars.ts'
import { Figure } from '../figure.ts'
import { formatCount, formatDate, plural } from '../format.ts'
import { h, type View } from '../html.ts'

const DAYS = 30

/** How many agents came on each day. */
export function registrations(agents: readonly Agent[]): View {
  const registered = agents.map(({ createdAt }) => ({ at: createdAt, name: 'registrations' }))
  const days = countByDay(registered, Date.now(), DAYS)
  const counts = days.map(({ at, parts }) => ({ at, count: parts[0]?.count ?? 0 }))
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  const most = counts.toSorted((a, b) => b.count - a.count)[0]
  const cut = agents.length >= MOST_AGENTS ? `, counting the newest ${formatCount(MOST_AGENTS)}` : ''
  const peak = most && most.count > 0 ? `; most on ${formatDate(most.at)}: ${formatCount(most.count)}` : ''
  return h(Figure, {
    title: 'Registrations per day',
    level: 2,
    caption: `${plural(total, 'agent')} registered in ${DAYS} days${cut}${peak}.`,
    table: () => ({
      head: ['Day', 'Registrations'],
      rows: counts.toReversed().map(({ at, count }) => [formatDate(at), formatCount(count)]),
    }),
    children: dayBars(days, ['registrations']),
  })
}
