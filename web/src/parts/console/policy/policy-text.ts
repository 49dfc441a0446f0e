import { ruleChanges } from '../../../data/policy/changes.ts'
import { isNeverAsked, type Policy, type PolicyRule } from '../../../data/policy/rules.ts'
import { formatDateTime, plural } from '../../format.ts'
import { html, type View } from '../../html.ts'
import type { Names } from '../validator-names.ts'
import { loosenText, NEVER_ASKED, ruleText } from './rule-text.ts'

/** The rules in force: those of the newest revision, and of earlier ones that hold beside it while a loosening waits. */
export function policyText(policy: Policy | null, names: Names): View {
  if (policy === null)
    return html`<p class="soft">None. The agent may build whatever the chain accepts. A policy says what it may do: which actions and validators, how much at a time and in a day, when, and above which amount you are asked first.</p>`
  return html`${ruleList(policy.rules, names)}
    ${policy.beside.map((one) => html`<div class="notice beside" data-tone="attention" key=${one.revision}>${earlierRulesText(one, policy.rules, names)}</div>`)}
    <p class="small soft policy-note">Revision ${String(policy.revision)}. All rules must hold; what no rule allows is refused. ${loosenText(policy.loosenAfterSeconds)}</p>`
}

const ruleList = (rules: readonly PolicyRule[], names: Names): View =>
  html`<ul class="rules">${sentences(rules.filter(isPause), names)}</ul>${rules.some(isPause) && rules.length > 1 && html`<p class="small soft">After it is resumed:</p>`}
    <ul class="rules">${!isAllowing(rules) && html`<li>No action is allowed: it may build nothing.</li>`}${sentences(
      rules.filter((rule) => !isPause(rule)),
      names,
    )}</ul>${isNeverAsked(rules) && html`<p class="small attention">${NEVER_ASKED}</p>`}`

const isPause = ({ rule }: PolicyRule): boolean => rule === 'paused'

const isAllowing = (rules: readonly PolicyRule[]): boolean => rules.some(({ rule }) => rule === 'actions')

const sentences = (rules: readonly PolicyRule[], names: Names): View =>
  rules.map((rule) => html`<li data-rule=${rule.rule}>${ruleText(rule, names)}</li>`)

/** The rules of an earlier revision that the newest does not have; the others are listed above. */
function earlierRulesText(
  { revision, rules, until }: Policy['beside'][number],
  newest: readonly PolicyRule[],
  names: Names,
): View {
  const own = ruleChanges(newest, rules).flatMap((change) => (change.kind === 'dropped' ? [] : change.after))
  const same = rules.length - own.length
  const end = formatDateTime(Date.parse(until))
  const stops = isAllowing(rules)
    ? null
    : html`<li>No action is allowed: until then it may build nothing.</li>`
  if (own.length === 0 && !stops)
    return html`<p>Revision ${String(revision)} still holds beside it until ${end}; each of its rules stands above.</p>`
  return html`<p>Revision ${String(revision)} still holds beside it until ${end}. Until then, too:</p>
    <ul class="rules">${stops}${sentences(own, names)}</ul>
    ${same > 0 && html`<p>${same === 1 ? 'Its other rule stands' : `Its other ${plural(same, 'rule')} stand`} above.</p>`}`
}
