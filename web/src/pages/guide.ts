import { useEffect } from 'preact/hooks'
import { inOrder, useDocsIndex, useGuide } from '../data/docs/docs.ts'
import { decodePart } from '../data/router.ts'
import { DocsNav } from '../parts/docs/docs-nav.ts'
import { GuideContents, neighbours } from '../parts/docs/guide-links.ts'
import { h, html, type View } from '../parts/html.ts'
import { markdown } from '../parts/markdown.ts'
import { skeleton, whenLoaded } from '../parts/state.ts'

/** A guide, from `docs/`. */
export default function Guide({ params }: { readonly params: Readonly<Record<string, string>> }): View {
  const name = params['page'] ?? ''
  const guide = useGuide(name)
  const all = inOrder(useDocsIndex().data ?? [])
  useEffect(() => {
    if (guide.data === undefined) return
    const title = /^# (.+)$/m.exec(guide.data)?.[1]
    if (title) document.title = `${title} · Stakewright`
    const target = document.getElementById(decodePart(location.hash.slice(1)))
    target?.scrollIntoView()
  }, [guide.data, location.hash])
  return html`<div class="page docs guide-page">${h(DocsNav, { current: name })}
    <div>${whenLoaded(guide, (text) => html`${markdown(text)}${neighbours(all, name)}`, skeleton('100%', '600px'))}</div>
    ${h(GuideContents, { text: guide.data ?? '' })}</div>`
}
