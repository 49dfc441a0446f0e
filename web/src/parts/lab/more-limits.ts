import { useState } from 'preact/hooks'
import type { Choice } from '../../data/allocation/choice.ts'
import type { Network, Validator } from '../../data/queries.ts'
import { parseGroups } from '../../data/stake-groups.ts'
import { formatCount, formatPercent } from '../format.ts'
import { Field, inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { readAsText, readTokens, tokensAsInput } from '../typed/amount.ts'

type Props = {
  readonly choice: Choice
  readonly network: Network
  readonly validators: readonly Validator[]
  readonly change: (part: Partial<Choice>) => void
}

/** Limits that most do not need, out of the way until they are wanted. */
export function MoreLimits(props: Props): View {
  const { choice, change } = props
  return html`<details class="card more-limits" open=${countSet(choice) > 0}><summary>More limits ${countSet(choice) > 0 && html`<span class="soft">${countSet(choice)} set</span>`}</summary>
    <div class="more-limits-fields">
    ${h(Field, { label: html`Lowest score <output>${formatCount(choice.minScore)}</output>`, hint: 'Validators below it get nothing.', children: (field) => html`<input ...${field} class="range" type="range" min="0" max="95" step="5" value=${String(choice.minScore)} onInput=${(event: Event) => change({ minScore: Number(inputValue(event)) })} />` })}
    ${h(Field, { label: html`Highest commission <output>${formatPercent(choice.maxCommission * 100, 0)}</output>`, hint: 'Present or announced.', children: (field) => html`<input ...${field} class="range" type="range" min="0" max="100" step="1" value=${String(Math.round(choice.maxCommission * 100))} onInput=${(event: Event) => change({ maxCommission: Number(inputValue(event)) / 100 })} />` })}
    ${h(LiquidFields, props)}
    ${h(OwnerField, props)}
    ${h(GroupsField, props)}
    </div></details>`
}

const countSet = ({ minScore, maxCommission, liquid, owner, groups }: Choice): number =>
  [minScore > 0, maxCommission < 1, liquid > 0n, owner !== '', groups !== ''].filter(Boolean).length

function LiquidFields({ choice, network, change }: Props): View {
  const { decimals, symbol } = network
  const [text, setText] = useState(choice.liquid === 0n ? '' : tokensAsInput(choice.liquid, decimals))
  const read = (typed: string) => readTokens(typed.trim() === '' ? '0' : typed, network)
  const type = (event: Event) => {
    const next = inputValue(event)
    setText(next)
    const typed = read(next)
    if (typed.kind === 'amount') change({ liquid: typed.amount })
  }
  const typed = read(text)
  return html`${h(Field, { label: `Keep at hand, ${symbol}`, hint: readAsText(typed, network) ?? 'Coins that you may need soon.', problem: typed.kind === 'problem' ? typed.text : undefined, children: (field) => html`<input ...${field} class="input" inputmode="decimal" autocomplete="off" value=${text} onInput=${type} />` })}
    ${h(Field, { label: 'Needed within', hint: 'Stake comes back within two epochs: from there on nothing stays unstaked.', children: (field) => html`<select ...${field} class="select" value=${String(choice.within)} onChange=${(event: Event) => change({ within: Number(inputValue(event)) })}>${[0, 1, 2].map((epochs) => html`<option value=${String(epochs)}>${WITHIN[epochs]}</option>`)}</select>` })}`
}

const WITHIN = ['this epoch', 'one epoch', 'two epochs'] as const

function OwnerField({ choice, change }: Props): View {
  const [text, setText] = useState(choice.owner)
  const isAddress = text === '' || /^0x[0-9a-f]{1,64}$/i.test(text)
  const type = (event: Event) => {
    const next = inputValue(event).trim()
    setText(next)
    if (next === '' || /^0x[0-9a-f]{1,64}$/i.test(next)) change({ owner: next })
  }
  return h(Field, {
    label: 'Address with stake already',
    hint: 'What it holds stays; the whole is optimised.',
    problem: isAddress ? undefined : 'An address begins with 0x and has hex digits.',
    children: (field) =>
      html`<input ...${field} class="input mono" autocomplete="off" spellcheck=${false} placeholder="0x…" value=${text} onInput=${type} />`,
  })
}

function GroupsField({ choice, validators, change }: Props): View {
  const [text, setText] = useState(choice.groups)
  const parsed = parseGroups(text, validators)
  const type = (event: Event) => {
    const next = inputValue(event)
    setText(next)
    if (parseGroups(next, validators).kind === 'ok') change({ groups: next })
  }
  return h(Field, {
    label: 'Groups that belong together',
    hint: 'One per line: name, largest share, validators.',
    problem: parsed.kind === 'problem' && validators.length > 0 ? parsed.text : undefined,
    children: (field) =>
      html`<textarea ...${field} class="textarea" spellcheck=${false} placeholder="North: 30%: Mossy Ridge, Fern Dune" value=${text} onInput=${type}></textarea>`,
  })
}
