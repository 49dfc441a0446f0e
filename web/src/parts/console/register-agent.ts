import { TIER_NAMES, TIERS, type Tier } from '@stakewright/contract/limits'
import { useState } from 'preact/hooks'
import { act } from '../../data/account/act.ts'
import { keepUnstored } from '../../data/account/unstored-keys.ts'
import { NO_REFUSAL, toRefusal } from '../../data/errors/describe-error.ts'
import { AGENT_KINDS, wordsOf } from '../../data/words/api-words.ts'
import { focusOnce } from '../focus.ts'
import { formatCount } from '../format.ts'
import { Field, inputValue, problemText } from '../forms/field.ts'
import { NewKeyCard } from '../forms/new-key.ts'
import { h, html, type View } from '../html.ts'

const TYPES = wordsOf(AGENT_KINDS)

function tierText(tier: Tier): string {
  const { rpm, rpd, mayRebalance, visibleValidators } = TIERS[tier]
  if (!Number.isFinite(visibleValidators)) return 'all validators, limits set by an admin'
  const plans = mayRebalance ? ', rebalance plans' : ''
  return `${formatCount(rpm)} per minute, ${formatCount(rpd)} a day${plans}, the ${visibleValidators} best validators`
}

const LABELS = { agentName: 'Name', agentType: 'Kind', tier: 'Tier', email: 'Owner' } as const

const PLACE = 'register'

/** The key of the agent that was registered last. */
export const registeredKey = (): View =>
  h(NewKeyCard, {
    place: PLACE,
    note: html`It is active at once and shown this once: the service keeps only its hash. Give it to your agent as X-API-Key. <a href="/docs/agents">How an agent works with it</a>`,
  })

/** The form to register an agent; admins may name another owner. The key is shown once. */
export function RegisterAgent({
  admin,
  close,
}: {
  readonly admin: boolean
  readonly close: () => void
}): View {
  const [name, setName] = useState('')
  const [type, setType] = useState<(typeof TYPES)[number]>('autonomous')
  const [tier, setTier] = useState<Tier>('builder')
  const [email, setEmail] = useState('')
  const [refusal, setRefusal] = useState(NO_REFUSAL)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setIsBusy(true)
    setRefusal(NO_REFUSAL)
    try {
      await act(
        (client) =>
          client.registerAgent({
            agentName: name.trim(),
            agentType: type,
            tier,
            ...(admin && email !== '' && { email }),
          }),
        ({ data }) => {
          keepUnstored(PLACE, data.apiKey)
          close()
        },
      )
    } catch (error) {
      setRefusal(toRefusal(error, LABELS))
    }
    setIsBusy(false)
  }
  return html`<form class="card register" onSubmit=${submit} aria-label="Register an agent">
    ${h(Field, { label: LABELS.agentName, problem: refusal.byField['agentName'], hint: '1 to 64 characters; shown here and in logs.', children: (props) => html`<input ...${props} class="input" maxlength="64" required value=${name} onInput=${(event: Event) => setName(inputValue(event))} ref=${focusOnce} />` })}
    ${h(Field, { label: LABELS.agentType, problem: refusal.byField['agentType'], children: (props) => html`<select ...${props} class="select" value=${type} onChange=${(event: Event) => setType(TYPES.find((one) => one === inputValue(event)) ?? 'other')}>${TYPES.map((one) => html`<option value=${one}>${AGENT_KINDS[one]}</option>`)}</select>` })}
    ${h(Field, { label: LABELS.tier, problem: refusal.byField['tier'], hint: tierText(tier), children: (props) => html`<select ...${props} class="select" value=${tier} onChange=${(event: Event) => setTier(TIER_NAMES.find((one) => one === inputValue(event)) ?? 'free')}>${TIER_NAMES.slice(0, admin ? 4 : 2).map((one) => html`<option value=${one}>${one}</option>`)}</select>` })}
    ${admin && h(Field, { label: LABELS.email, problem: refusal.byField['email'], hint: 'Left empty: yourself.', children: (props) => html`<input ...${props} class="input" type="email" value=${email} onInput=${(event: Event) => setEmail(inputValue(event).trim())} />` })}
    ${problemText(refusal.other)}<div class="row"><button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>Register</button><button class="button" type="button" onClick=${close}>Cancel</button></div>
  </form>`
}
