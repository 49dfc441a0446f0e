import { plural } from '../parts/format.ts'
import { html, type View } from '../parts/html.ts'

const SIDE = 5
const GAP = 1
const PER_ROW = 15
/** Space that is reserved before the history is loaded. */
const MIN_ROWS = 2

/** The last epochs as squares: filled when it performed, hollow when it missed, a dot where nothing is known. */
export function uptimeSquares(performed: readonly (boolean | null)[]): View {
  const missed = performed.filter((one) => one === false).length
  const rows = Math.max(MIN_ROWS, Math.ceil(performed.length / PER_ROW))
  const title = missed === 0 ? 'No epoch missed' : `${plural(missed, 'epoch')} missed of ${performed.length}`
  const step = SIDE + GAP
  return html`<svg class="squares" width=${PER_ROW * step} height=${rows * step} aria-hidden="true"><title>${title}</title>${performed.map(
    (
      one,
      index,
    ) => html`<rect x=${(index % PER_ROW) * step + 0.5} y=${Math.floor(index / PER_ROW) * step + 0.5} width=${SIDE - 1} height=${SIDE - 1}
      data-state=${one === null ? 'unknown' : one ? 'done' : 'missed'} />`,
  )}</svg>`
}
