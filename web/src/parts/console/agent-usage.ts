import { type AuditEntry, useAudit } from '../../data/account/agents.ts'
import { commonest, countByDay, isWithin } from '../../data/account/days.ts'
import { OWN_REFRESH_MS } from '../../data/account/own-refresh.ts'
import { placesOf } from '../../data/colours.ts'
import { REQUEST_TEXTS, requestText } from '../../data/words/request-words.ts'
import { dayBars } from '../../plots/day-bars.ts'
import { Figure } from '../figure.ts'
import { formatCount, formatUtcDate, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { ListEnd } from './list-end.ts'

const DAYS = 30
const SHOWN_TOOLS = 5
const COLOURS = 6

/** Whether an entry is a request of the agent itself; management actions on it are shown elsewhere. */
export const isRequest = ({ action }: AuditEntry): boolean => action === null

/** Requests per day, by tool. */
export function AgentUsage({ id, limit }: { readonly id: string; readonly limit: number }): View {
  const audit = useAudit(id)
  return whenLoaded(
    audit,
    (all) => {
      const entries = all.filter(isRequest)
      const items = entries.map((entry) => ({ at: entry.at, name: requestText(entry.endpoint) }))
      const names = commonest(items).slice(0, SHOWN_TOOLS)
      const colours = placesOf(names, REQUEST_TEXTS, COLOURS)
      const days = countByDay(items, Date.now(), DAYS)
      const inDays = days.reduce(
        (sum, { parts }) => sum + parts.reduce((all, { count }) => all + count, 0),
        0,
      )
      const isCut = audit.hasMore && isWithin(all.at(-1)?.at, days)
      const caption =
        entries.length === 0
          ? `No request yet. The first one appears here within ${OWN_REFRESH_MS / 1000} s.`
          : inDays === 0
            ? `No request in ${DAYS} days.`
            : `${plural(inDays, 'request')} in ${DAYS} days${isCut ? ', counting what was read' : ''}, most often for: ${names[0]}. It may send ${formatCount(limit)} a day.`
      return html`${h(Figure, {
        title: 'Requests per day',
        level: 2,
        caption,
        table: () => ({
          head: ['Day, UTC', 'Requests'],
          rows: days
            .toReversed()
            .map(({ at, parts }) => [
              formatUtcDate(at),
              formatCount(parts.reduce((sum, { count }) => sum + count, 0)),
            ]),
        }),
        children: dayBars({ days, colours, limit }),
      })}<ul class="legend">${names.map((name) => html`<li data-series=${(colours.get(name) ?? 0) + 1}>${name}</li>`)}</ul>${isCut && h(ListEnd, { list: audit, what: 'entries of its log', which: 'newest' })}`
    },
    skeleton('100%', '240px'),
  )
}
