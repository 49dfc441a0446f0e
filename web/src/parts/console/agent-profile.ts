import { useAudit, useProfile } from '../../data/account/agents.ts'
import { hasBuilt } from '../../data/account/has-built.ts'
import { formatCount, formatDecimal } from '../format.ts'
import { html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'

const DAYS = 30

/** How the agent behaves, in five figures. */
export function AgentProfile({ id }: { readonly id: string }): View {
  const profile = useProfile(id)
  const isJudged = hasBuilt(useAudit(id))
  return html`<h2 id="profile">Profile, ${DAYS} days</h2>${whenLoaded(
    profile,
    (data) => html`<dl class="facts">
        <div><dt>Requests a day</dt><dd>${formatDecimal(data.avgDailyQueries, 1)}</dd></div>
        <div><dt>Looked at data</dt><dd>${formatCount(data.termShoppingCount)}</dd></div>
        <div><dt>Had something computed</dt><dd>${formatCount(data.underwritingCount)}</dd></div>
        <div><dt>Checked network facts or its use</dt><dd>${formatCount(data.policyCheckCount)}</dd></div>
        <div><dt>Risk awareness</dt><dd>${isJudged ? `${formatDecimal(data.riskAwarenessScore, 0)} of 100` : 'not enough to judge'}</dd></div>
      </dl><p class="small soft">Requests a day: the mean of the days since it was registered, at most the last ${DAYS}; a day that has begun counts as one.</p><p class="small soft">Risk awareness: how often it looked at data, at facts of the network or at its use in the 15 minutes before it built a transaction.</p>`,
    skeleton('100%', '180px'),
  )}`
}
