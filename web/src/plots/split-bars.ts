import { html, type View } from '../parts/html.ts'

type SplitRow = {
  readonly id: string
  readonly name: View
  readonly share: number
  readonly amount: View
  readonly note: View
  readonly action: View
}

/** A split as horizontal bars, the largest amount first. */
export const splitBars = (rows: readonly SplitRow[]): View =>
  html`<ol class="split">${rows.map(
    (
      { id, name, share, amount, note, action },
      index,
    ) => html`<li key=${id} data-series=${index < 6 ? index + 1 : 'rest'}>
    <div class="split-head"><span class="split-name">${name}</span><span class="split-amount">${amount}</span></div>
    <div class="split-bar"><i style=${{ width: `${Math.max(0.5, share * 100)}%` }}></i></div>
    <div class="split-foot"><span>${note}</span>${action}</div>
  </li>`,
  )}</ol>`
