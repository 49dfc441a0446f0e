import { type Block, type Inline, pageOf, parseMarkdown } from '../data/docs/markdown.ts'
import { breakable, codeBlock } from './code.ts'
import { html, type View } from './html.ts'

/** A guide. Links between guides stay in the web app; links to the sources become plain text. */
export const markdown = (source: string): View =>
  html`<article class="guide">${parseMarkdown(source).map(showBlock)}</article>`

function showBlock(block: Block, index: number): View {
  switch (block.kind) {
    case 'heading':
      return heading(block.level, block.id, block.text)
    case 'paragraph':
      return html`<p>${block.inlines.map(showInline)}</p>`
    case 'quote':
      return html`<blockquote>${block.inlines.map(showInline)}</blockquote>`
    case 'code':
      return codeBlock(block.text, 'the code')
    case 'list':
      return block.isOrdered
        ? html`<ol>${block.items.map((item) => html`<li>${item.map(showInline)}</li>`)}</ol>`
        : html`<ul>${block.items.map((item) => html`<li>${item.map(showInline)}</li>`)}</ul>`
    case 'table':
      return html`<div class="guide-table" tabindex="0" role="region" aria-label=${`Table in block ${index + 1}`}><table class="table-plain" role="table"><thead role="rowgroup"><tr role="row">${block.head.map(headCell)}</tr></thead>
        <tbody role="rowgroup">${block.rows.map((row) => html`<tr role="row">${row.map((cell, column) => html`<td role="cell" data-head=${headText(block.head[column])}>${cell.map(showInline)}</td>`)}</tr>`)}</tbody></table></div>`
  }
}

/** A column without a name has no header for screen readers to announce. */
const headCell = (cell: readonly Inline[]): View =>
  cell.length === 0
    ? html`<td role="cell"></td>`
    : html`<th scope="col" role="columnheader">${cell.map(showInline)}</th>`

/** On a phone a row is shown as a list, and each cell names its column. */
const headText = (cell: readonly Inline[] = []): string | undefined =>
  cell.map(({ text }) => text).join('') || undefined

function heading(level: number, id: string, text: string): View {
  if (level === 1) return html`<h1 id=${id}>${text}</h1>`
  if (level === 2) return html`<h2 id=${id}>${text}</h2>`
  return html`<h3 id=${id}>${text}</h3>`
}

export function showInline(inline: Inline): View {
  switch (inline.kind) {
    case 'text':
      return inline.text
    case 'code':
      return html`<code>${breakable(inline.text)}</code>`
    case 'strong':
      return html`<strong>${inline.text}</strong>`
    case 'em':
      return html`<em>${inline.text}</em>`
    case 'link':
      return link(inline.text, inline.href)
  }
}

function link(text: string, href: string): View {
  const target = pageOf(href)
  if (target === undefined) return html`<span>${text}</span>`
  const rel = target.startsWith('https://') ? 'noreferrer' : undefined
  return html`<a href=${target} rel=${rel}>${text}</a>`
}
