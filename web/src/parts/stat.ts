import { html, type View } from './html.ts'

export type Stat = { readonly label: string; readonly value: View; readonly note?: View }

/** A row of figures that belong together. */
export const stats = (items: readonly Stat[]): View =>
  html`<dl class="stats">${items.map(
    ({ label, value, note }) =>
      html`<div class="stat"><dt>${label}</dt><dd><div class="value">${value}</div><div class="note">${note}</div></dd></div>`,
  )}</dl>`
