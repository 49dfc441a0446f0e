import { render } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { followLinks, type Match, matchPage, scrollNewPage, showPlace, useAddress } from './data/router.ts'
import { call, onReturn } from './data/service.ts'
import { PAGE_MODULES, type Page } from './page-modules.ts'
import { focusTitle, keepFocus } from './parts/focus.ts'
import { h, html, type View } from './parts/html.ts'
import { Shell } from './parts/shell.ts'
import { empty, Failure } from './parts/state.ts'

type Shown =
  | { readonly kind: 'page'; readonly match: Match; readonly Page: Page }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly path: string; readonly title: string }

/** Shows the current page until the module of the next one is loaded. */
function App({ first }: { readonly first: { readonly path: string; readonly shown: Shown } }): View {
  const { path } = useAddress()
  const [shown, setShown] = useState(first.shown)
  const last = useRef(first.path)
  useEffect(() => {
    let isCurrent = true
    if (path === last.current) return
    void find(path).then((next) => {
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
  useLayoutEffect(() => {
    scrollNewPage()
  }, [shown])
  return h(Shell, {
    children: [
      showPage(shown),
      shown.kind === 'failed' && h(Return, { key: shown.path, isFirst: shown === first.shown }),
    ],
  })
}

/**
 * Reloads a page whose files could not be fetched when the service is back. After a navigation it reloads as soon
 * as the service answers. After a failed first load it waits until the service was unreachable and is back,
 * otherwise it would reload in a loop.
 */
function Return({ isFirst }: { readonly isFirst: boolean }): View {
  useEffect(() => {
    if (isFirst) return onReturn(() => location.reload())
    let timer: ReturnType<typeof setTimeout> | undefined
    let isCurrent = true
    const probe = () => {
      call((client) => client.health(undefined, { retries: 0 })).then(
        () => isCurrent && location.reload(),
        () => {
          if (isCurrent) timer = setTimeout(probe, PROBE_MS)
        },
      )
    }
    probe()
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [])
  return null
}
const PROBE_MS = 5_000

async function find(path: string): Promise<Shown> {
  const match = matchPage(path)
  const load = match && PAGE_MODULES[match.page.module]
  if (!match || !load) return { kind: 'missing' }
  const { title } = match.page
  try {
    const { default: Page } = await load()
    document.title = `${title} · Stakewright`
    return { kind: 'page', match, Page }
  } catch {
    document.title = `${title} · Stakewright`
    return { kind: 'failed', path, title }
  }
}

const UNFETCHED = new Error('This page could not be fetched. It is tried again when the service answers.')

function showPage(shown: Shown): View {
  if (shown.kind === 'missing') {
    return html`<div class="page"><div class="page-head"><h1>Not found</h1></div>${empty('There is no page at this address.', html`<a class="button" href="/">Go to the overview</a>`)}</div>`
  }
  if (shown.kind === 'failed') {
    return html`<div class="page"><div class="page-head"><h1>${shown.title}</h1></div>${h(Failure, { error: UNFETCHED, retry: () => location.reload() })}</div>`
  }
  return h(shown.Page, { key: shown.match.page.path, params: shown.match.params })
}

const root = document.getElementById('app')
if (root) {
  followLinks()
  keepFocus()
  // The page's module is preloaded, so that shell and page are drawn together.
  const path = location.pathname
  void find(path).then((shown) => render(h(App, { first: { path, shown } }), root))
}
