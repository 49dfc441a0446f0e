import { useHealth } from '../data/queries.ts'
import { h, html, type View } from '../parts/html.ts'
import { icon } from '../parts/icon.ts'
import { BestValidators } from '../parts/overview/best-validators.ts'
import { ChangesCard } from '../parts/overview/changes-card.ts'
import { EpochCard } from '../parts/overview/epoch-card.ts'
import { NetworkFigures } from '../parts/overview/network-figures.ts'
import { Yield } from '../parts/overview/yield.ts'
import { skeleton } from '../parts/state.ts'

/** The state of the network at a glance. */
export default function Overview(): View {
  return html`<div class="page">
    ${h(Head, {})}
    <div class="grid">
      <section class="card span-8 yield" aria-label="Yield">${h(Yield, {})}</section>
      <section class="card span-4" aria-label="Epoch">${h(EpochCard, {})}</section>
      <section class="span-12" aria-label="Figures">${h(NetworkFigures, {})}</section>
      <section class="card span-8" aria-labelledby="next">${h(ChangesCard, {})}</section>
      <section class="span-4" aria-label="Next steps">${nextLinks}</section>
      <section class="span-12" aria-labelledby="best">${h(BestValidators, {})}</section>
    </div>
  </div>`
}

function Head(): View {
  const { data, error } = useHealth()
  const name = data ? `${data.network.charAt(0).toUpperCase()}${data.network.slice(1)}` : undefined
  // Until the network is known, the longer text reserves the space.
  const about = data === undefined || data.network === 'sandbox' ? SIMULATED : REAL
  return html`<div class="page-head"><div>
    <h1>${name ? `${name} network` : error === undefined ? skeleton('9em', '1.25em') : 'Network'}</h1>
    <p class="lede">Where stake earns most, why, and what changes next. <span style=${{ visibility: data ? 'visible' : 'hidden' }}>${about}</span></p>
  </div></div>`
}

const REAL = 'All figures come from the chain’s own records.'
const SIMULATED = 'This network is simulated: its validators and prices are invented.'

const nextLinks = html`<nav class="ways" aria-label="Next steps">
  <a href="/validators"><strong>Explore validators</strong><span>Scores, yields and histories, explained part by part.</span>${icon('right')}</a>
  <a href="/allocate"><strong>Try an amount</strong><span>The optimal split, and why it stops where it stops.</span>${icon('right')}</a>
  <a href="/console"><strong>Connect an agent</strong><span>Register a key, watch what it does, stop it at once.</span>${icon('right')}</a>
</nav>`
