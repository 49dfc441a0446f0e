import { useProfile } from '../../data/account/agents.ts'
import { formatCount, formatDecimal } from '../format.ts'
import { html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'

const DAYS = 30

/** How the agent behaves, in five figures. */
export function AgentProfile({ id }: { readonly id: string }): View {
  const profile = useProfile(id)
  return html`<h2 id="profile">Profile, ${DAYS} days</h2>${whenLoaded(
    profile,
    (data) => html`<dl class="facts">
        <div><dt>Requests a day</dt><dd>${formatDecimal(data.avgDailyQueries, 1)}</dd></div>
        <div><dt>Looked at data</dt><dd>${formatCount(data.termShoppingCount)}</dd></div>
        <div><dt>Had something computed</dt><dd>${formatCount(data.underwritingCount)}</dd></div>
        <div><dt>Checked network facts, its use or its policy</dt><dd>${formatCount(data.policyCheckCount)}</dd></div>
        <div><dt>Risk awareness</dt><dd>${hasAsked(data.toolBreakdown) ? `${formatDecimal(data.riskAwarenessScore, 0)} of 100` : 'not enough to judge'}</dd></div>
      </dl><p class="small soft">Requests a day: the mean of the days since it was registered, at most the last ${DAYS}; a day that has begun counts as one.</p><p class="small soft">Risk awareness: of the times it asked for a transaction, how often it had looked at data and also checked network facts, its use or its policy in the 15 minutes before. Refused requests count.</p>`,
    skeleton('100%', '180px'),
  )}`
}

/** Whether it asked for a transaction at all: without, the service gives 0. */
const hasAsked = (requests: Readonly<Record<string, number>>): boolean =>
  Object.keys(requests).some((endpoint) => endpoint.startsWith('build'))
