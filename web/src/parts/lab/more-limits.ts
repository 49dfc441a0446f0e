import { readChainId } from '../../data/address/read-parts.ts'
import type { Choice } from '../../data/allocation/choice.ts'
import type { Network, Validator } from '../../data/queries.ts'
import { parseGroups } from '../../data/stake-groups.ts'
import { formatCount, formatPercent } from '../format.ts'
import { Field, inputValue } from '../forms/field.ts'
import { type Meaning, useTypedText } from '../forms/typed-text.ts'
import { h, html, type View } from '../html.ts'
import { readTokens, tokensAsInput } from '../typed/amount.ts'

type Props = {
  readonly choice: Choice
  readonly network: Network
  readonly validators: readonly Validator[]
  readonly change: (part: Partial<Choice>) => void
}

/** Limits that few users need, folded away until they are opened. */
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
  const { text, meaning, type } = useTypedText(
    choice.liquid,
    (typed) => readLiquid(typed, network),
    (liquid) => (liquid === 0n ? '' : tokensAsInput(liquid, decimals)),
    (liquid) => change({ liquid }),
  )
  return html`${h(Field, { label: `Keep at hand, ${symbol}`, hint: noteOf(meaning) ?? 'Coins that you may need soon.', problem: problemOf(meaning), children: (field) => html`<input ...${field} class="input" inputmode="decimal" autocomplete="off" value=${text} onInput=${(event: Event) => type(inputValue(event))} />` })}
    ${h(Field, { label: 'Needed within', hint: 'Stake comes back within two epochs: from there on nothing stays unstaked.', children: (field) => html`<select ...${field} class="select" value=${String(choice.within)} onChange=${(event: Event) => change({ within: Number(inputValue(event)) })}>${[0, 1, 2].map((epochs) => html`<option value=${String(epochs)}>${WITHIN[epochs]}</option>`)}</select>` })}`
}

function readLiquid(text: string, network: Network): Meaning<bigint> {
  const read = readTokens(text.trim() === '' ? '0' : text, network)
  if (read.kind === 'noted') return { kind: 'value', value: read.readAs, note: read.note }
  return read.kind === 'amount' ? { kind: 'value', value: read.amount } : read
}

const WITHIN = ['this epoch', 'one epoch', 'two epochs'] as const

const problemOf = (meaning: Meaning<unknown>): string | undefined =>
  meaning.kind === 'problem' ? meaning.text : undefined

const noteOf = (meaning: Meaning<unknown>): string | undefined =>
  meaning.kind === 'value' ? meaning.note : undefined

function OwnerField({ choice, change }: Props): View {
  const { text, meaning, type } = useTypedText(
    choice.owner,
    readOwner,
    (owner) => owner,
    (owner) => change({ owner }),
  )
  return h(Field, {
    label: 'Address with stake already',
    hint: 'What it holds stays; the whole is optimised.',
    problem: problemOf(meaning),
    children: (field) =>
      html`<input ...${field} class="input mono" autocomplete="off" spellcheck=${false} placeholder="0x…" value=${text} onInput=${(event: Event) => type(inputValue(event))} />`,
  })
}

function readOwner(text: string): Meaning<string> {
  const owner = text.trim() === '' ? '' : readChainId(text.trim())
  return owner === undefined
    ? { kind: 'problem', text: 'An address begins with 0x and has hex digits.' }
    : { kind: 'value', value: owner }
}

function GroupsField({ choice, validators, change }: Props): View {
  // Groups name validators: before these are loaded, no problem can be stated.
  const read = (typed: string): Meaning<string> => {
    const parsed = parseGroups(typed, validators)
    return parsed.kind === 'problem' && validators.length > 0
      ? parsed
      : { kind: 'value', value: typed.trim() }
  }
  const { text, meaning, type } = useTypedText(
    choice.groups,
    read,
    (groups) => groups,
    (groups) => change({ groups }),
  )
  return h(Field, {
    label: 'Groups that belong together',
    hint: 'One per line: name, largest share, validators.',
    problem: problemOf(meaning),
    children: (field) =>
      html`<textarea ...${field} class="textarea" spellcheck=${false} placeholder="North: 30%: Mossy Ridge, Fern Dune" value=${text} onInput=${(event: Event) => type(inputValue(event))}></textarea>`,
  })
}
