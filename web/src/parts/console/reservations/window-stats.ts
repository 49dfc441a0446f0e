import type { WindowUse } from '../../../data/policy/windows.ts'
import { ExactAmount } from '../../amount.ts'
import { formatDateTime } from '../../format.ts'
import { h, html, type View } from '../../html.ts'
import { type Stat, stats } from '../../stat.ts'
import { countedText, WINDOW_TEXTS } from '../policy/rule-text.ts'

/** How much each limit per window has left. `isPart`: older builds were not read, and may count as well. */
export const windowStats = (uses: readonly WindowUse[], isPart: boolean): View =>
  uses.length > 0 && stats(uses.map((use) => windowStat(use, isPart)))

function windowStat({ rule, until, used, left, next }: WindowUse, isPart: boolean): Stat {
  const most = BigInt(rule.amount)
  // Divided as bigint, to hundredths of a percent: amounts exceed the exact range of numbers.
  const share = most === 0n ? 100 : Math.min(100, Number((used * 10_000n) / most) / 100)
  return {
    label: `Left ${WINDOW_TEXTS[rule.window]}`,
    value: html`${isPart && html`<span class="soft">at most </span>`}${h(ExactAmount, { value: left > 0n ? left : 0n })}`,
    note: html`<span class="meter" data-tone=${left <= 0n ? 'attention' : undefined} aria-hidden="true"><i style=${{ width: `${share}%` }}></i></span>
      ${h(ExactAmount, { value: used })} of ${h(ExactAmount, { value: rule.amount })} ${used === 1n ? 'is' : 'are'} used${countedText(rule.actions)}.
      ${next && html` ${h(ExactAmount, { value: next.amount })} of it counts until ${formatDateTime(next.at)}.`}
      ${until !== undefined && ` This limit is of an earlier revision and holds until ${formatDateTime(Date.parse(until))}.`}`,
  }
}
