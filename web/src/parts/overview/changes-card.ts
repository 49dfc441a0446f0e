import { useState } from 'preact/hooks'
import { type Change, changesAhead, headroomOf } from '../../data/changes.ts'
import {
  type Epoch,
  type Network,
  useEpoch,
  useNetwork,
  useValidators,
  type Validator,
} from '../../data/queries.ts'
import { badge } from '../badge.ts'
import { formatCommission, formatCount, formatShare, formatTokens, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { errorOrSkeleton } from '../state.ts'
import { Countdown } from '../time.ts'
import { validatorLink } from '../validator-link.ts'

const SHOWN_CHANGES = 7
type Announced = Exclude<Change['kind'], 'nearest'>

/** Changes that the chain has announced or decided, and the validators nearest to losing a seat. */
export function ChangesCard(): View {
  const answers = [useNetwork(), useValidators()] as const
  const network = answers[0].data
  const validators = answers[1].data?.data
  const changes = network && validators && changesAhead(validators, network)
  const ahead = changes?.filter(({ kind }) => kind !== 'nearest')
  return html`<div class="section-head"><h2 id="next">What changes next</h2>
    ${ahead && ahead.length > 0 && html`<span class="soft small">${plural(ahead.length, 'change')} ahead${h(When, {})}</span>`}</div>
    <div class="changes-room">${
      changes && ahead
        ? html`${ahead.length === 0 ? html`<p class="soft">Nothing is announced: the next epoch starts like this one.</p>` : h(Ahead, { changes: ahead, network })}
          ${nearest(
            changes.filter(({ kind }) => kind === 'nearest'),
            network,
          )}`
        : errorOrSkeleton(answers, '232px')
    }</div>`
}

/** The time until the next epoch, from whose start the changes hold. */
function When(): View {
  const { data } = useEpoch()
  if (!data) return null
  return html`, epoch ${data.epoch + 1} in ${h(Countdown, { until: data.endTimestampMs })}`
}

type AheadProps = { readonly changes: readonly Change[]; readonly network: Network }

function Ahead({ changes, network }: AheadProps): View {
  const [isWhole, setIsWhole] = useState(false)
  const shown = isWhole ? changes : firstOfEachKind(changes)
  const epoch = useEpoch().data
  return html`<ul class="changes">${shown.map((change) => changeRow(change, network, epoch))}</ul>
    ${shown.length < changes.length && html`<button type="button" class="link-button small" onClick=${() => setIsWhole(true)}>Show all ${formatCount(changes.length)}</button>`}`
}

/** If few changes are ahead: the validators that would lose a seat first. */
function nearest(changes: readonly Change[], network: Network): View {
  if (changes.length === 0) return null
  return html`<div class="row spread nearest-title"><h3>Nearest to losing a seat</h3><span class="soft small">above what it needs</span></div>
    <ul class="nearest">${changes.map(({ validator }) => html`<li>${validatorLink(validator)}<span class="number soft">${formatShare(headroomOf(validator, network), 1)}</span></li>`)}</ul>`
}

/** A few of every kind rather than many of one. */
function firstOfEachKind(changes: readonly Change[]): readonly Change[] {
  const seen = new Map<string, number>()
  const ranked = changes.map((change) => {
    const place = seen.get(change.kind) ?? 0
    seen.set(change.kind, place + 1)
    return { change, place }
  })
  const chosen = new Set(
    ranked
      .toSorted((a, b) => a.place - b.place)
      .slice(0, SHOWN_CHANGES)
      .map(({ change }) => change),
  )
  return changes.filter((change) => chosen.has(change))
}

function changeRow({ kind, validator }: Change, network: Network, epoch: Epoch | undefined): View {
  if (kind === 'nearest') return null
  return html`<li><span class="change-kind">${CHANGE_BADGES[kind]}</span><span>${validatorLink(validator)} <span class="soft">${describeChange(kind, validator, network)}</span></span><span class="soft nowrap">${epoch && `from epoch ${startOf(kind, epoch)}`}</span></li>`
}

/** The first epoch with the change. Once the next committee is selected, a seat can be lost one epoch later only. */
const startOf = (kind: Announced, { epoch, nextCommitteeSelected }: Epoch): number =>
  epoch + (kind === 'at-risk' && nextCommitteeSelected ? 2 : 1)

const CHANGE_BADGES: Readonly<Record<Announced, View>> = {
  commission: badge('commission', 'attention'),
  leaving: badge('leaves', 'bad'),
  joining: badge('joins', 'good'),
  'at-risk': badge('seat at risk', 'attention'),
}

function describeChange(kind: Announced, validator: Validator, network: Network): string {
  switch (kind) {
    case 'commission':
      return `${validator.nextCommissionRate > validator.commissionRate ? 'raises' : 'lowers'} its commission from ${formatCommission(validator.commissionRate)} to ${formatCommission(validator.nextCommissionRate)}`
    case 'leaving':
      return `leaves the committee: ${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol} will stop earning`
    case 'joining':
      return `joins the committee with ${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol}`
    case 'at-risk': {
      const headroom = headroomOf(validator, network)
      return headroom < 0
        ? 'is below what a seat needs'
        : `is only ${formatShare(headroom, 1)} above what a seat needs`
    }
  }
}
