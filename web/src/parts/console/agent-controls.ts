import { useState } from 'preact/hooks'
import { act } from '../../data/account/act.ts'
import type { Agent } from '../../data/account/agents.ts'
import { keepUnstored, useUnstoredKey } from '../../data/account/unstored-keys.ts'
import { formatCount, formatDateTime } from '../format.ts'
import { Confirm } from '../forms/confirm.ts'
import { Field, inputValue } from '../forms/field.ts'
import { NewKeyCard } from '../forms/new-key.ts'
import { h, html, type View } from '../html.ts'
import { readCount } from '../typed/amount.ts'
import { nameText } from '../validator-link.ts'

const GRACES = [
  [0, 'not at all'],
  [3600, 'for an hour'],
  [86_400, 'for a day'],
] as const

const graceSentence = (grace: number): string =>
  grace === 0
    ? 'The old one is refused at once.'
    : `The old one continues to work ${GRACES.find(([seconds]) => seconds === grace)?.[1]}.`

/** The note to the new key after a rotation. */
const rotatedText = (oldKeyUntil: string | undefined): string =>
  `It is shown only now. Give it to your agent, which sends it as X-API-Key. ${
    oldKeyUntil === undefined
      ? 'The old key is refused already.'
      : `The old key works until ${formatDateTime(Date.parse(oldKeyUntil))}.`
  } Its limits, and what it has used of them, stay as they were.`

/** The actions on an agent; each states its effect and asks for confirmation. */
export function AgentControls({ agent, admin }: { readonly agent: Agent; readonly admin: boolean }): View {
  const { id, agentName, status } = agent
  const [grace, setGrace] = useState(0)
  const place = `key of ${id}`
  const made = useUnstoredKey(place)
  const rotate = () =>
    act(
      (client) => client.rotateKey({ id, gracePeriodSeconds: grace }),
      ({ data }) => keepUnstored(place, data.apiKey, grace === 0 ? undefined : data.previousKeyExpiresAt),
    )
  const revoke = () => act((client) => client.revokeAgent({ id }))
  const change = (next: 'active' | 'suspended') => () =>
    act((client) => client.updateAgent({ id, status: next }))
  if (made !== undefined) return h(NewKeyCard, { place, note: rotatedText(made.oldKeyUntil) })
  return html`
    ${
      status === 'active' &&
      h(Confirm, {
        label: 'Rotate the key',
        effect: html`<strong>${nameText(agentName)}</strong> gets a new key, shown once. ${graceSentence(grace)}`,
        confirm: 'Rotate now',
        run: rotate,
        children: h(Field, {
          label: 'The old key works',
          children: (props) =>
            html`<select ...${props} class="select grace" value=${String(grace)} onChange=${(event: Event) => setGrace(Number(inputValue(event)))}>${GRACES.map(([seconds, text]) => html`<option value=${String(seconds)}>${text}</option>`)}</select>`,
        }),
      })
    }
    ${admin && status === 'active' && h(Confirm, { label: 'Suspend', effect: html`Every request with the key of <strong>${nameText(agentName)}</strong> is refused from now on, until an admin resumes it.`, confirm: 'Suspend now', kind: 'danger', run: change('suspended') })}
    ${admin && status === 'suspended' && h(Confirm, { label: 'Resume', effect: html`The key of <strong>${nameText(agentName)}</strong> works again.`, confirm: 'Resume now', run: change('active') })}
    ${admin && h(Limits, { agent })}
    ${h(Confirm, { label: 'Revoke', effect: html`The key of <strong>${nameText(agentName)}</strong> is refused from now on, for good. This cannot be undone.`, confirm: 'Revoke for good', kind: 'danger', run: revoke })}`
}

function Limits({ agent: { id, rateLimits } }: { readonly agent: Agent }): View {
  const [rpm, setRpm] = useState(String(rateLimits.rpm))
  const [rpd, setRpd] = useState(String(rateLimits.rpd))
  const save = async () => {
    const limits = { rpm: readCount(rpm), rpd: readCount(rpd) }
    if (limits.rpm === undefined || limits.rpd === undefined) throw new Error('Write two whole numbers.')
    const rateLimits = { rpm: limits.rpm, rpd: limits.rpd }
    await act((client) => client.updateAgent({ id, rateLimits }))
  }
  const number = (value: string, set: (text: string) => void) => (props: object) =>
    html`<input ...${props} class="input grace" inputmode="numeric" value=${value} onInput=${(event: Event) => set(inputValue(event))} />`
  return h(Confirm, {
    label: 'Set limits',
    effect: limitsEffect(rateLimits, rpm, rpd),
    confirm: 'Set these limits',
    run: save,
    children: html`<div class="row">${h(Field, { label: 'Per minute', children: number(rpm, setRpm) })}${h(Field, { label: 'Per day', children: number(rpd, setRpd) })}</div>`,
  })
}

/** Describes the change from the present to the typed limits. */
function limitsEffect(now: Agent['rateLimits'], rpm: string, rpd: string): string {
  const typed = (text: string) => {
    const value = readCount(text)
    return value === undefined ? '…' : formatCount(value)
  }
  const change = `From ${formatCount(now.rpm)} a minute and ${formatCount(now.rpd)} a day to ${typed(rpm)} and ${typed(rpd)}.`
  return `${change} The new limits hold from the next request on; what was used today stays used.`
}
