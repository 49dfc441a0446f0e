import { useState } from 'preact/hooks'
import { useNow } from '../../../data/clock.ts'
import { describeError } from '../../../data/errors/describe-error.ts'
import type { PagedList } from '../../../data/lists/paged-list.ts'
import { releaseReservation, useReservations } from '../../../data/policy/reservations.ts'
import type { Policy } from '../../../data/policy/rules.ts'
import {
  countsIn,
  isRelevant,
  isReserving,
  type Moment,
  type Reservation,
  windowUses,
} from '../../../data/policy/windows.ts'
import { useEpoch, useNetwork, useValidators } from '../../../data/queries.ts'
import { refreshQueries } from '../../../data/query.ts'
import { focusPart } from '../../focus.ts'
import { Confirm } from '../../forms/confirm.ts'
import { h, html, type View } from '../../html.ts'
import { errorOrSkeleton, whenLoaded } from '../../state.ts'
import { Ago } from '../../time.ts'
import type { Coin } from '../../typed/amount.ts'
import { wishText, wishWords } from '../approvals/approval-text.ts'
import { ListEnd, useFirst } from '../list-end.ts'
import { type Names, namesOf } from '../validator-names.ts'
import { countingText, releaseText, stateBadge, wholeOf } from './reservation-text.ts'
import { windowStats } from './window-stats.ts'

const SHOWN = 10

type Props = { readonly id: string; readonly policy: Policy | null }

/** The agent's reservations: what is left of each limit, and the built transactions with a button to release each. */
export function AgentReservations({ id, policy }: Props): View {
  if (policy === null || !isReserving(policy)) return null
  return html`<section class="section" aria-labelledby="reservations"><h2 id="reservations">Reservations</h2>
    <p class="small soft policy-note">What the agent builds counts from then on, whether it is signed or not: nobody can take back a transaction that was handed out. Transactions that it built before the policy had these limits are not counted, and can still be signed until they expire: if that matters, pause the agent so long.</p>${h(Counted, { id, policy })}</section>`
}

function Counted({ id, policy }: { readonly id: string; readonly policy: Policy }): View {
  const list = useReservations(id)
  const epoch = useEpoch()
  const network = useNetwork()
  const names = namesOf(useValidators().data?.data ?? [])
  const now = useNow()
  if (!epoch.data || !network.data) return errorOrSkeleton([epoch, network], '96px')
  const shown = { id, policy, list, names, coin: network.data, moment: { now, epoch: epoch.data } }
  return whenLoaded(
    list,
    (found) => h(Found, { ...shown, found }),
    errorOrSkeleton([list], '96px'),
    () => void refreshQueries(`user/reservations/${id}`),
  )
}

type FoundProps = {
  readonly id: string
  readonly policy: Policy
  readonly list: PagedList<Reservation>
  readonly found: readonly Reservation[]
  readonly names: Names
  readonly coin: Coin
  readonly moment: Moment
}

function Found({ id, policy, list, found, names, coin, moment }: FoundProps): View {
  const all = found.filter((one) => isRelevant(policy, one, moment))
  const [shown, more] = useFirst(all, SHOWN)
  // Shown in the row: if the transaction was carried out, its Release button is gone.
  const [refused, setRefused] = useState<Refused>(undefined)
  const release = async (reservationId: string) => {
    setRefused(undefined)
    try {
      await releaseReservation(id, reservationId)
      requestAnimationFrame(() => focusPart('reservations'))
    } catch (error) {
      setRefused({ reservationId, error })
    }
  }
  const row = (one: Reservation): View => {
    const counting = countsIn(policy, one, moment)
    return html`<li key=${one.reservationId}><span class="reserved"><span>${stateBadge(one)} To ${wishText(wholeOf(one), names)}, built ${h(Ago, { at: one.builtAt })}.</span>
        <span class="small soft">${countingText(one, counting)}</span>${refused?.reservationId === one.reservationId && html`<span class="bad" role="alert">${describeError(refused.error)}</span>`}</span>
      ${one.state !== 'carriedOut' && h(Confirm, { label: 'Release', about: wishWords(wholeOf(one), names, coin), size: 'small', kind: 'danger', effect: releaseText(one, counting, names), confirm: 'It is not signed: release it', run: () => release(one.reservationId) })}</li>`
  }
  return html`${windowStats(windowUses(policy, found, moment), list.hasMore)}
    ${all.length === 0 ? html`<p class="soft">Nothing counts now, so the agent may build up to each limit.</p>` : html`<ol class="done-list">${shown.map(row)}</ol>`}
    ${more}${h(ListEnd, { list, what: 'built transactions', which: 'newest' })}`
}

/** Why a reservation could not be released. */
type Refused = { readonly reservationId: string; readonly error: unknown } | undefined
