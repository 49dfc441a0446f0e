import { useId, useState } from 'preact/hooks'
import { html, type View } from './html.ts'

type FigureTable = {
  readonly head: readonly string[]
  readonly rows: readonly (readonly View[])[]
}

type Props = {
  readonly title?: string
  /** The heading level of the title; 3 by default. */
  readonly level?: 2 | 3
  /** Shown above the plot and its table: the newest value. */
  readonly lead?: View
  /** The finding in words: what a reader should take away. */
  readonly caption: View
  /** The data of the plot as a table; computed when it is shown. */
  readonly table: () => FigureTable
  readonly children: View
}

/** A plot with its finding in words, and a button that shows its data as a table instead. */
export function Figure({ title, level = 3, lead, caption, table, children }: Props): View {
  const [isTable, setIsTable] = useState(false)
  const id = useId()
  return html`<figure class="figure" aria-labelledby=${`${id}-caption`}>
    <div class="figure-head">
      ${titleOf(title, level)}
      <button type="button" class="link-button" aria-expanded=${isTable} aria-controls=${`${id}-table`} onClick=${() => setIsTable(!isTable)}>
        ${isTable ? 'Show as plot' : 'Show as table'}
      </button>
    </div>
    ${lead}
    <div hidden=${isTable} aria-hidden="true">${children}</div>
    <div id=${`${id}-table`} hidden=${!isTable}>${isTable && plainTable(table(), title ?? 'Values')}</div>
    <figcaption id=${`${id}-caption`}>${caption}</figcaption>
  </figure>`
}

function titleOf(title: string | undefined, level: 2 | 3): View {
  if (title === undefined) return html`<span></span>`
  return level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`
}

function plainTable({ head, rows }: FigureTable, label: string): View {
  return html`<div class="figure-table" tabindex="0" role="region" aria-label=${label}><table class="table-plain">
    <thead><tr>${head.map((text, index) => html`<th scope="col" data-align=${index > 0 ? 'end' : undefined}>${text}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td data-align=${index > 0 ? 'end' : undefined}>${cell}</td>`)}</tr>`)}</tbody>
  </table></div>`
}
