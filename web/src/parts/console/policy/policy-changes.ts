import { type RuleChange, ruleChanges } from '../../../data/policy/changes.ts'
import { isNeverAsked, type PolicyDocument } from '../../../data/policy/rules.ts'
import { html, type View } from '../../html.ts'
import type { Names } from '../validator-names.ts'
import { loosenText, NEVER_ASKED, ruleText } from './rule-text.ts'

/** The differences between two policies in words. `before` is null if there was none. */
export function policyChanges(before: PolicyDocument | null, after: PolicyDocument, names: Names): View {
  const changes = ruleChanges(before?.rules ?? [], after.rules)
  const isAllowing = after.rules.some(({ rule }) => rule === 'actions')
  const loosening = before?.loosenAfterSeconds ?? 0
  return html`<ul class="changes-list">
    ${changes.map((change) => html`<li data-kind=${change.kind}>${changeText(change, names)}</li>`)}
    ${!isAllowing && html`<li data-kind="added"><span class="tag">now</span> No action is allowed: it may build nothing.</li>`}
    ${loosening !== after.loosenAfterSeconds && html`<li data-kind="changed"><span class="tag">change</span> ${loosenText(after.loosenAfterSeconds)}</li>`}
  </ul>${isNeverAsked(after.rules) && html`<p class="small attention">${NEVER_ASKED}</p>`}`
}

function changeText(change: RuleChange, names: Names): View {
  if (change.kind === 'added') return html`<span class="tag">new</span> ${ruleText(change.after, names)}`
  if (change.kind === 'dropped')
    return html`<span class="tag">gone</span> <s>${ruleText(change.before, names)}</s>`
  return html`<span class="tag">change</span> <s>${ruleText(change.before, names)}</s> ${ruleText(change.after, names)}`
}
