import { useEffect, useState } from 'preact/hooks'
import { inOrder, useDocsIndex } from '../../data/docs/docs.ts'
import { useReference } from '../../data/docs/reference.ts'
import { inputValue } from '../forms/field.ts'
import { h, html, type View } from '../html.ts'
import { DocsSearch } from './docs-search.ts'

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
        ? h(DocsSearch, { words: words.trim().toLowerCase(), operations })
        : isKnown &&
          folded(html`<h3>Guides</h3><ul>${guides.map(({ name, title }) => html`<li><a href=${`/docs/${name}`} aria-current=${current === name ? 'page' : undefined}>${title}</a></li>`)}</ul>
          ${tags.map((tag) => html`<h3>${tag}</h3><ul>${operations.filter((one) => one.tag === tag).map((one) => html`<li><a href=${`/docs?endpoint=${one.name}`} aria-current=${current === one.name ? 'page' : undefined}>${one.summary}</a></li>`)}</ul>`)}`)
    }</nav>`
}
