import { useValidatorDetail, type ValidatorDetail } from '../../data/queries.ts'
import { Amount } from '../amount.ts'
import { formatCommission, formatCount, formatShare, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { isolateName } from '../validator-link.ts'

type Fact = readonly [name: string, value: View]

/** A validator's data on the chain beyond its figures: coming changes, its weight, and its own description. */
export function ChainFacts({ id }: { readonly id: string }): View {
  return html`<section class="section" aria-labelledby="facts"><h2 id="facts">What the chain says</h2><div class="grid facts-grid">${whenLoaded(
    useValidatorDetail(id),
    (detail) =>
      html`<div class="card span-6">${factList(nextFacts(detail))}</div><div class="card span-6">${factList(presentFacts(detail))}${selfDescription(detail)}</div>`,
    html`<div class="card span-6">${skeleton('100%', '148px')}</div><div class="card span-6">${skeleton('100%', '148px')}</div>`,
  )}</div></section>`
}

const factList = (facts: readonly Fact[]): View =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

const SEATS = {
  true: 'yes',
  false: html`<span class="attention">no</span>`,
  null: 'not selected yet',
} as const

const nextFacts = (one: ValidatorDetail): readonly Fact[] => [
  ['Coming stake, with all that is on its way', h(Amount, { value: one.nextStake })],
  ['Seat in the next committee', SEATS[`${one.inNextCommittee}`]],
  ['Announced commission', announcedText(one)],
  ...(one.atRiskEpochs === null ? [] : [['Below what a seat needs', riskText(one.atRiskEpochs)] as const]),
]

function announcedText({ commissionRate, nextCommissionRate, nextCommissionEpoch }: ValidatorDetail): View {
  if (nextCommissionRate === commissionRate) return 'no change announced'
  const from = nextCommissionEpoch === null ? '' : ` from epoch ${nextCommissionEpoch} on`
  return html`<span class=${nextCommissionRate > commissionRate ? 'attention' : 'good'}>${formatCommission(nextCommissionRate)}${from}</span>`
}

function riskText(epochs: number): View {
  return epochs === 0 ? 'no' : html`<span class="bad">for ${plural(epochs, 'epoch')}</span>`
}

/** The facts that this network publishes; the others are left out. */
function presentFacts(one: ValidatorDetail): readonly Fact[] {
  const { votingPower, shards, nextShards, reportedBy, stakingRewards, claimableStake } = one
  const facts: (Fact | undefined)[] = [
    votingPower === null ? undefined : ['Voting power', formatShare(votingPower / 10_000)],
    shards === null ? undefined : ['Shards', formatCount(shards)],
    nextShards === null ? undefined : ['Shards by coming stakes', formatCount(nextShards)],
    reportedBy === null
      ? undefined
      : [
          'Reported as failing by',
          reportedBy === 0 ? 'nobody' : html`<span class="bad">${plural(reportedBy, 'validator')}</span>`,
        ],
    ['Rewards not withdrawn yet', h(Amount, { value: stakingRewards })],
    claimableStake === null
      ? undefined
      : ['Asked back, and ready to be withdrawn', h(Amount, { value: claimableStake })],
  ]
  return facts.filter((fact) => fact !== undefined)
}

/** Unchecked text of a stranger: shown as text, and linked to only by https, in a way that tells the target nothing. */
function selfDescription({ name, description, projectUrl }: ValidatorDetail): View {
  if (description === null && projectUrl === null) return null
  const url = projectUrl?.startsWith('https://') ? projectUrl : undefined
  return html`<div class="own-words"><h3>What ${isolateName(name)} says of itself</h3>
    ${description !== null && html`<p><bdi>${description}</bdi></p>`}
    ${url !== undefined && html`<p><a href=${url} rel="noopener noreferrer nofollow" target="_blank">${new URL(url).host}</a> <span class="soft small">opens another site, which nobody here has checked</span></p>`}</div>`
}
