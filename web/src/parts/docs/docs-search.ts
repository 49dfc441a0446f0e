import { type DocsText, useDocsTexts } from '../../data/docs/docs.ts'
import { headingId } from '../../data/docs/markdown.ts'
import type { Operation } from '../../data/docs/reference.ts'
import { formatCount, plural } from '../format.ts'
import { html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'

const MAX_HITS = 14

/** Places in guides and endpoints with these words, which are in lower case. */
export function DocsSearch({
  words,
  operations,
}: {
  readonly words: string
  readonly operations: readonly Operation[]
}): View {
  return whenLoaded(useDocsTexts(), (guides) => results(words, guides, operations), skeleton('100%', '120px'))
}

function results(words: string, guides: readonly DocsText[], operations: readonly Operation[]): View {
  const endpoints = operations.filter((one) =>
    `${one.summary} ${one.path} ${one.name} ${one.description}`.toLowerCase().includes(words),
  )
  const sections = guides.flatMap(({ name, title, sections: all }) =>
    all
      .filter(({ heading, text }) => `${heading} ${text}`.toLowerCase().includes(words))
      .map((section) => ({ name, title, ...section })),
  )
  const ranked = sections.toSorted(
    (a, b) =>
      Number(b.heading.toLowerCase().includes(words)) - Number(a.heading.toLowerCase().includes(words)),
  )
  if (endpoints.length + ranked.length === 0)
    return html`<p class="small soft" role="status">No page has these words.</p>`
  return html`<p class="visually-hidden" role="status">${plural(endpoints.length + ranked.length, 'place')} found</p>
    ${endpoints.length > 0 && html`<h3>Endpoints</h3><ul>${endpoints.slice(0, MAX_HITS).map((one) => html`<li><a href=${`/docs?endpoint=${one.name}`}>${one.summary}</a></li>`)}</ul>${moreHits(endpoints.length)}`}
    ${ranked.length > 0 && html`<h3>Guides</h3><ul>${ranked.slice(0, MAX_HITS).map(({ name, title, heading, text }) => html`<li><a href=${`/docs/${name}#${headingId(heading)}`}>${heading}${heading === title ? '' : html`<span class="faint"> – ${title}</span>`}</a><span class="hit">${excerpt(text, words)}</span></li>`)}</ul>${moreHits(ranked.length)}`}`
}

const moreHits = (found: number): View =>
  found > MAX_HITS &&
  html`<p class="small soft">${formatCount(found - MAX_HITS)} more: type more to narrow the search.</p>`

function excerpt(text: string, words: string): string {
  const at = text.toLowerCase().indexOf(words)
  if (at === -1) return ''
  const from = Math.max(0, at - 30)
  return `${from > 0 ? '…' : ''}${text.slice(from, at + 60)}…`
}
