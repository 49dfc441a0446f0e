import { describeError } from '../../data/errors/describe-error.ts'
import { MAX_POSITIONS, type Position } from '../../data/positions-text.ts'
import type { AddressStake } from '../../data/rebalance/address-stake.ts'
import { formatCount, formatShare } from '../format.ts'
import { Field, inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'

type Props = {
  readonly text: string
  readonly setText: (text: string) => void
  /** The address whose stake is planned for; empty: none. */
  readonly owner: string
  readonly stake: AddressStake
  /** Plans for the stake of the address, or for a later part of it. */
  readonly load: (from?: number) => void
}
type Found = Extract<AddressStake, { kind: 'found' }>

/** The address whose stake to plan for. A plan takes a limited number of positions: the next part can be planned then. */
export function AddressField({ text, setText, owner, stake, load }: Props): View {
  const again = 'retry' in stake ? stake.retry : () => undefined
  return html`${h(Field, {
    label: 'Address that owns the stake',
    hint: 'Its staked tokens are read from the chain.',
    problem: problemOf(stake),
    children: (
      props,
    ) => html`<span class="row" style=${{ flexWrap: 'nowrap' }}><input ...${props} class="input mono" autocomplete="off" spellcheck=${false} placeholder="0x…" value=${text} onInput=${(event: Event) => setText(inputValue(event).trim())} />
      <button type="button" class="button" aria-disabled=${stake.kind === 'loading' || text === ''} onClick=${() => (text === owner ? again() : load())}>Load</button></span>`,
  })}${stake.kind === 'found' && text === owner && leftOut(stake, load)}`
}

function problemOf(stake: AddressStake): string | undefined {
  if (stake.kind === 'failed') return describeError(stake.error)
  return stake.kind === 'nothing' ? 'This address has no active stake here.' : undefined
}

/** After the last part comes the first again. */
const nextOf = ({ positions, from }: Found): number =>
  from + MAX_POSITIONS < positions.length ? from + MAX_POSITIONS : 0

function leftOut(stake: Found, takeFrom: (from: number) => void): View {
  const { positions, part, unread, from, isBeyond } = stake
  if (positions.length <= MAX_POSITIONS && unread === 0 && !isBeyond) return null
  const sum = (some: readonly Position[]) =>
    some.reduce((total, { principal }) => total + BigInt(principal), 0n)
  const share = Number((sum(part) * 10_000n) / sum(positions)) / 10_000
  const next = nextOf(stake)
  return html`<div class="notice" data-tone="attention" role="status"><span>${isBeyond && 'The address asks for a later part than there is: this is the first. '}A plan takes ${formatCount(MAX_POSITIONS)} positions. These are ${formatCount(from + 1)} to ${formatCount(from + part.length)} of ${formatCount(positions.length)} by size, ${formatShare(share, 1)} of the stake${unread > 0 ? `; ${formatCount(unread)} smaller ones were not read` : ''}.</span>
    ${positions.length > MAX_POSITIONS && html`<button type="button" class="link-button" onClick=${() => takeFrom(next)}>Plan ${formatCount(next + 1)} to ${formatCount(Math.min(next + MAX_POSITIONS, positions.length))}</button>`}</div>`
}
