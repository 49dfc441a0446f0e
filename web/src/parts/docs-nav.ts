import { useEffect, useState } from 'preact/hooks'
import { type DocsPage, inOrder, useDocsIndex } from '../data/docs/docs.ts'
import { headingId } from '../data/docs/markdown.ts'
import { type Operation, useReference } from '../data/docs/reference.ts'
import { formatCount, plural } from './format.ts'
import { inputValue } from './forms/field.ts'
import { html, type View } from './html.ts'

const MAX_HITS = 14

/** From this width on the list is beside the page; on narrower screens it is folded above the page. */
const WIDE = matchMedia('(min-width: 1021px)')

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(WIDE.matches)
  useEffect(() => {
    const follow = () => setIsWide(WIDE.matches)
    WIDE.addEventListener('change', follow)
    return () => WIDE.removeEventListener('change', follow)
  }, [])
  return isWide
}

/** Guides and endpoints beside every page of the documentation, with a search through both. */
export function DocsNav({ current }: { readonly current: string }): View {
  const index = useDocsIndex()
  const reference = useReference()
  const guides = inOrder(index.data ?? [])
  const operations = reference.data?.operations ?? []
  // Shown once both are loaded: the second would otherwise move the first.
  const isKnown = [index, reference].every(({ data, error }) => data !== undefined || error !== undefined)
  const [words, setWords] = useState('')
  const isWide = useIsWide()
  const folded = (list: View): View =>
    isWide ? list : html`<details><summary>All guides and endpoints</summary>${list}</details>`
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  return html`<nav class="docs-nav" aria-label="Documentation">
    <input class="input" type="search" placeholder="Search the docs" aria-label="Search the docs" value=${words} onInput=${(event: Event) => setWords(inputValue(event))} />
    ${
      words.trim().length > 1
        ? searchResults(words.trim().toLowerCase(), guides, operations)
        : isKnown &&
          folded(html`<h3>Guides</h3><ul>${guides.map(({ name, title }) => html`<li><a href=${`/docs/${name}`} aria-current=${current === name ? 'page' : undefined}>${title}</a></li>`)}</ul>
          ${tags.map((tag) => html`<h3>${tag}</h3><ul>${operations.filter((one) => one.tag === tag).map((one) => html`<li><a href=${`/docs?endpoint=${one.name}`} aria-current=${current === one.name ? 'page' : undefined}>${one.summary}</a></li>`)}</ul>`)}`)
    }</nav>`
}

function searchResults(words: string, guides: readonly DocsPage[], operations: readonly Operation[]): View {
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
