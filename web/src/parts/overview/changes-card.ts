import { useState } from 'preact/hooks'
import { type Change, changesAhead, headroomOf } from '../../data/changes.ts'
import { type Network, useNetwork, useValidators, type Validator } from '../../data/queries.ts'
import { badge } from '../badge.ts'
import { formatShare, formatTokens, plural } from '../format.ts'
import { html, type View } from '../html.ts'
import { skeleton } from '../state.ts'
import { validatorLink } from '../validator-link.ts'

const SHOWN_CHANGES = 7

/** What the chain has announced or decided, and who is close to losing a seat. */
export function ChangesCard(): View {
  const [isWhole, setIsWhole] = useState(false)
  const network = useNetwork()
  const validators = useValidators()
  const changes =
    network.data && validators.data ? changesAhead(validators.data.data, network.data) : undefined
  return html`<div class="section-head"><h2 id="next">What changes next</h2>
    ${changes && html`<span class="soft small">${plural(changes.filter(({ kind }) => kind !== 'nearest').length, 'change')} ahead</span>`}</div>
    ${
      changes && network.data
        ? changes.length === 0
          ? html`<p class="soft">Nothing is announced: the next epoch starts like this one.</p>`
          : html`<ul class="changes">${(isWhole ? changes : firstOfEachKind(changes)).map((change) => changeRow(change, network.data))}</ul>${!isWhole && changes.length > SHOWN_CHANGES && html`<button type="button" class="link-button" onClick=${() => setIsWhole(true)}>Show all ${changes.length}</button>`}`
        : html`<div class="changes">${skeleton('100%', '232px')}</div>`
    }`
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

function changeRow({ kind, validator }: Change, network: Network | undefined): View {
  return html`<li><span class="change-kind">${CHANGE_BADGES[kind]}</span><span>${validatorLink(validator)} <span class="soft">${describeChange(kind, validator, network)}</span></span></li>`
}

const CHANGE_BADGES: Readonly<Record<Change['kind'], View>> = {
  commission: badge('commission', 'attention'),
  leaving: badge('leaves', 'bad'),
  joining: badge('joins', 'good'),
  'at-risk': badge('seat at risk', 'attention'),
  nearest: badge('smallest'),
}

function describeChange(kind: Change['kind'], validator: Validator, network: Network | undefined): string {
  switch (kind) {
    case 'commission':
      return `${validator.nextCommissionRate > validator.commissionRate ? 'raises' : 'lowers'} its commission from ${formatShare(validator.commissionRate, 1)} to ${formatShare(validator.nextCommissionRate, 1)}`
    case 'leaving':
      return `leaves the committee: ${network ? `${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol}` : 'its stake'} will stop earning`
    case 'joining':
      return `joins the committee with ${network ? `${formatTokens(BigInt(validator.totalStake), network.decimals)} ${network.symbol}` : 'its stake'}`
    case 'nearest':
    case 'at-risk': {
      const headroom = network ? headroomOf(validator, network) : 0
      return headroom < 0
        ? 'is below what a seat needs'
        : `is ${kind === 'nearest' ? '' : 'only '}${formatShare(headroom, 1)} above what a seat needs`
    }
  }
}
