import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { followLinks, type Match, matchPage, scrollNewPage, showPlace, useAddress } from './data/router.ts'
import { reach } from './data/service.ts'
import { useStore } from './data/store.ts'
import { PAGE_MODULES, type Page } from './page-modules.ts'
import { focusTitle } from './parts/focus.ts'
import { h, html, type View } from './parts/html.ts'
import { Shell } from './parts/shell.ts'
import { empty, Failure } from './parts/state.ts'

type Shown =
  | { readonly kind: 'page'; readonly match: Match; readonly Page: Page }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: unknown }

/** Keeps showing the present page until the module of the next one is there. */
function App({ first }: { readonly first: { readonly path: string; readonly shown: Shown } }): View {
  const { path } = useAddress()
  const [shown, setShown] = useState(first.shown)
  const last = useRef(first.path)
  useEffect(() => {
    let isCurrent = true
    if (path === last.current) return
    find(path).then((next) => {
      if (!isCurrent) return
      last.current = path
      showPlace()
      setShown(next)
      requestAnimationFrame(focusTitle)
    })
    return () => {
      isCurrent = false
    }
  }, [path])
  useLayoutEffect(scrollNewPage, [shown])
  return h(Shell, { children: [showPage(shown), shown.kind === 'failed' && h(Return, {})] })
}

/** Loads a page anew whose files could not be fetched, when the service is back, as the bar on top promises. */
function Return(): View {
  const isAway = useStore(reach).kind === 'away'
  const wasAway = useRef(false)
  useEffect(() => {
    if (wasAway.current && !isAway) location.reload()
    wasAway.current = isAway
  }, [isAway])
  return null
}

async function find(path: string): Promise<Shown> {
  const match = matchPage(path)
  const load = match && PAGE_MODULES[match.page.module]
  if (!match || !load) return { kind: 'missing' }
  try {
    const { default: Page } = await load()
    document.title = `${match.page.title} · Stakewright`
    return { kind: 'page', match, Page }
  } catch (error) {
    return { kind: 'failed', error }
  }
}

function showPage(shown: Shown): View {
  if (shown.kind === 'missing') {
    return html`<div class="page"><div class="page-head"><h1>Not found</h1></div>${empty('There is no page at this address.', html`<a class="button" href="/">Go to the overview</a>`)}</div>`
  }
  if (shown.kind === 'failed') {
    return html`<div class="page">${h(Failure, { error: shown.error, retry: () => location.reload() })}</div>`
  }
  return h(shown.Page, { key: shown.match.page.path, params: shown.match.params })
}

const root = document.getElementById('app')
if (root) {
  followLinks()
  // The module of the page is on its way with this one: shell and page are drawn at once.
  const path = location.pathname
  find(path).then((shown) => render(h(App, { first: { path, shown } }), root))
}
