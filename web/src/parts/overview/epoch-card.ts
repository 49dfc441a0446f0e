import { useNow } from '../../data/clock.ts'
import { useEpoch } from '../../data/queries.ts'
import { epochDial } from '../../plots/epoch-dial.ts'
import { formatCount, formatShare, formatSpan } from '../format.ts'
import { html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'

/** The progress of the epoch, and the epoch from which a stake made now earns. */
export function EpochCard(): View {
  const epoch = useEpoch()
  const now = useNow()
  return whenLoaded(
    epoch,
    (data) => {
      const { startTimestampMs, endTimestampMs, durationMs, nextCommitteeSelected } = data
      const left = endTimestampMs - now
      const activeFrom = data.epoch + (nextCommitteeSelected ? 2 : 1)
      const inside = html`<span class="soft small">Epoch</span><strong class="figure-number">${formatCount(data.epoch)}</strong>
        <span class="small soft">${formatShare(Math.min(1, Math.max(0, (now - startTimestampMs) / durationMs)), 0)} done</span>`
      return html`<h2 class="visually-hidden">Epoch</h2><div class="epoch">
        ${epochDial((now - startTimestampMs) / durationMs, inside)}
        <dl class="epoch-end"><dt>${left > 0 ? 'Ends in' : 'Due since'}</dt><dd class="number">${formatSpan(Math.abs(left))}</dd></dl>
        <dl class="facts">
          <div><dt>One epoch lasts</dt><dd class="number">${formatSpan(durationMs)}</dd></div>
          <div><dt>Next committee</dt><dd>${nextCommitteeSelected ? 'selected' : 'not selected yet'}</dd></div>
          <div><dt>Stake made now earns from</dt><dd class="number">epoch ${activeFrom}</dd></div>
        </dl></div>`
    },
    html`<div class="epoch"><div class="dial"></div><dl class="epoch-end"><dt>Ends in</dt><dd>${skeleton('4em')}</dd></dl><dl class="facts">${['One epoch lasts', 'Next committee', 'Stake made now earns from'].map((label) => html`<div><dt>${label}</dt><dd>${skeleton('4em')}</dd></div>`)}</dl></div>`,
  )
}
