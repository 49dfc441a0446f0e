import { useState } from 'preact/hooks'
import { useEpoch } from '../../data/queries.ts'
import { formatDecimal, formatPercent, plural } from '../format.ts'
import { AmountField } from '../forms/amount-field.ts'
import { Field, inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { Id } from '../id.ts'
import type { StageProps } from './stage.ts'

const START_TOKENS = 5_000n

/** A form that builds a stake. */
export function WalletCard({ network, validators, current, isBusy, build }: StageProps): View {
  const candidates = validators
    .filter(({ score, ineligible }) => score !== null && ineligible.length === 0)
    .toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0))
  const [validatorId, setValidatorId] = useState(candidates[0]?.id ?? '')
  const [amount, setAmount] = useState(START_TOKENS * 10n ** BigInt(network.decimals))
  const submit = (event: Event) => {
    event.preventDefault()
    build('Stake', (client) =>
      client.buildStake({ validatorId, amount: String(amount), sender: current.address }),
    )
  }
  return html`<div class="row spread"><h2 id="wallet">Your play wallet</h2>${h(Id, { id: current.address, what: 'address' })}</div>
    <form class="stack" onSubmit=${submit} aria-label="Stake">
      ${h(AmountField, { label: 'Stake', amount, least: BigInt(network.minStakeAmount), network, hint: 'Coins for play cost nothing; the sandbox lends a limited number to each visitor.', onChange: setAmount })}
      ${h(Field, { label: 'With', children: (props) => html`<select ...${props} class="select" value=${validatorId} onChange=${(event: Event) => setValidatorId(inputValue(event))}>${candidates.map(({ id, name, score, apy }) => html`<option value=${id}>${name}${apy === null ? '' : `, ${formatPercent(apy)} net APY`} (score ${formatDecimal(score ?? 0, 1)})</option>`)}</select>` })}
      <button class="button" data-kind="primary" type="submit" aria-disabled=${isBusy}>Build the transaction</button>
    </form>`
}

/** Buttons that complete epochs. */
export function TimeCard({ isBusy, advance }: StageProps): View {
  const epoch = useEpoch().data
  return html`<div class="row spread"><h2 id="time">Time</h2><span class="soft">${epoch ? `epoch ${epoch.epoch}` : ''}</span></div>
    <p class="small soft">On a real chain you would wait. Here you complete epochs at once, for everybody who plays on this service.</p>
    <div class="row"><span aria-hidden="true">Advance</span>${[1, 5, 10].map((count) => html`<button type="button" class="button" aria-disabled=${isBusy} onClick=${() => advance(count)} aria-label=${`Advance ${plural(count, 'epoch')}`}>${plural(count, 'epoch')}</button>`)}</div>`
}
