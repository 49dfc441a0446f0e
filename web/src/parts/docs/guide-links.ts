import { useMemo } from 'preact/hooks'
import type { DocsPage } from '../../data/docs/docs.ts'
import { parseMarkdown } from '../../data/docs/markdown.ts'
import { html, type View } from '../html.ts'

/** A guide with fewer sections needs no table of contents. */
const MIN_SECTIONS = 3

const sectionsOf = (text: string) =>
  parseMarkdown(text).flatMap((block) =>
    block.kind === 'heading' && block.level === 2 ? [{ id: block.id, text: block.text }] : [],
  )

/** The sections of a guide, beside it. */
export function GuideContents({ text }: { readonly text: string }): View {
  const sections = useMemo(() => sectionsOf(text), [text])
  return html`<nav class="contents" aria-label="On this page">${
    sections.length >= MIN_SECTIONS &&
    html`<h2>On this page</h2><ul>${sections.map((one) => html`<li><a href=${`#${one.id}`}>${one.text}</a></li>`)}</ul>`
  }</nav>`
}

/** The guides before and after this one, in the order of the navigation. */
export function neighbours(guides: readonly DocsPage[], name: string): View {
  const at = guides.findIndex((one) => one.name === name)
  const [before, after] = at === -1 ? [] : [guides[at - 1], guides[at + 1]]
  if (!before && !after) return null
  const link = (guide: DocsPage | undefined, word: string) =>
    guide
      ? html`<a href=${`/docs/${guide.name}`} rel=${word}><span class="small soft">${word === 'prev' ? 'Previous' : 'Next'}</span><strong>${guide.title}</strong></a>`
      : html`<span></span>`
  return html`<nav class="neighbours" aria-label="Guides before and after">${link(before, 'prev')}${link(after, 'next')}</nav>`
}
