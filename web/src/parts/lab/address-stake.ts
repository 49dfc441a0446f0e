import { useEffect, useState } from 'preact/hooks'
import { describeError } from '../../data/errors/describe-error.ts'
import { type HeldToken, readHolding } from '../../data/positions.ts'
import { MOST, type Position } from '../../data/positions-text.ts'
import { setQuery } from '../../data/router.ts'
import { call } from '../../data/service.ts'
import { formatCount, formatShare } from '../format.ts'
import { Field, inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'

type Props = {
  /** The address that the link of the page names, if it does; one that is loaded goes there. */
  readonly owner: string
  /** Called when another stake is read: what was planned for the one before no longer counts. */
  readonly onLoad: () => void
  /** Called with what a plan can take: all of it, or the next part. */
  readonly onFound: (positions: readonly Position[]) => void
}

/** What an address had staked when it was read, the largest first, and the part of it that was taken. */
type Stake = {
  readonly positions: readonly Position[]
  /** How many more tokens were not read. */
  readonly unread: number
  readonly from: number
}

type State = { readonly problem?: string; readonly stake?: Stake; readonly isBusy?: boolean }

/** Reads the stake of an address. A plan takes a limited number of positions: what is left out is said and can follow. */
export function AddressStake({ owner, onLoad, onFound }: Props): View {
  const [text, setText] = useState(owner)
  const [{ problem, stake, isBusy }, setState] = useState<State>({})
  const take = (found: Stake) => {
    setState({ stake: found })
    onFound(found.positions.slice(found.from, found.from + MOST))
  }
  const load = (address: string) => {
    setState({ isBusy: true })
    onLoad()
    call((client) => readHolding(client, address)).then(
      ({ tokens, total }) => {
        const positions = tokens.filter(isAtWork).map(toPosition)
        if (positions.length === 0) setState({ problem: 'This address has no active stake here.' })
        else take({ positions, unread: total - tokens.length, from: 0 })
      },
      (error: unknown) => setState({ problem: describeError(error) }),
    )
  }
  useEffect(() => {
    if (owner !== '') load(owner)
  }, [owner])
  return html`${h(Field, {
    label: 'Address that owns the stake',
    hint: 'Its staked tokens are read from the chain.',
    problem,
    children: (
      props,
    ) => html`<span class="row" style=${{ flexWrap: 'nowrap' }}><input ...${props} class="input mono" autocomplete="off" spellcheck=${false} placeholder="0x…" value=${text} onInput=${(event: Event) => setText(inputValue(event).trim())} />
      <button type="button" class="button" disabled=${isBusy || text === ''} onClick=${() => (text === owner ? load(text) : setQuery({ owner: text }))}>Load</button></span>`,
  })}${stake && leftOut(stake, () => take({ ...stake, from: nextOf(stake) }))}`
}

const isAtWork = ({ state }: HeldToken): boolean => state === 'active' || state === 'pending'

const toPosition = ({ stakedTokenId, validatorId, principal }: HeldToken): Position => ({
  stakedTokenId,
  validatorId,
  principal,
})

/** After the last part comes the first again. */
const nextOf = ({ positions, from }: Stake): number => (from + MOST < positions.length ? from + MOST : 0)

function leftOut(stake: Stake, takeNext: () => void): View {
  const { positions, unread, from } = stake
  if (positions.length <= MOST && unread === 0) return null
  const last = Math.min(from + MOST, positions.length)
  const sum = (part: readonly Position[]) =>
    part.reduce((total, { principal }) => total + BigInt(principal), 0n)
  const share = Number((sum(positions.slice(from, last)) * 10_000n) / sum(positions)) / 10_000
  const next = nextOf(stake)
  return html`<div class="notice" data-tone="attention" role="status"><span>A plan takes ${formatCount(MOST)} positions. These are ${formatCount(from + 1)} to ${formatCount(last)} of ${formatCount(positions.length)} by size, ${formatShare(share, 1)} of the stake${unread > 0 ? `; ${formatCount(unread)} smaller ones were not read` : ''}.</span>
    ${positions.length > MOST && html`<button type="button" class="link-button" onClick=${takeNext}>Plan ${formatCount(next + 1)} to ${formatCount(Math.min(next + MOST, positions.length))}</button>`}</div>`
}
