import { render } from 'preact'
import { useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { followLinks, type Match, matchPage, scrollNewPage, showPlace, useAddress } from './data/router.ts'
import { call, onReturn } from './data/service.ts'
import { PAGE_MODULES, type Page } from './page-modules.ts'
import { focusTitle, keepFocus } from './parts/focus.ts'
import { h, html, type View } from './parts/html.ts'
import { Shell } from './parts/shell.ts'
import { empty, Failure } from './parts/state.ts'

type Shown = { readonly title: string } & (
  | { readonly kind: 'page'; readonly match: Match; readonly Page: Page }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly path: string }
)

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
      document.title = `${next.title} · Stakewright`
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
 * Reloads a page whose files could not be fetched once the service answers. After a failed first load it must have been
 * unreachable, or the page would reload in a loop.
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
  if (!match || !load) return { kind: 'missing', title: 'Not found' }
  const { title } = match.page
  try {
    const { default: Page } = await load()
    return { kind: 'page', title, match, Page }
  } catch {
    return { kind: 'failed', path, title }
  }
}

/** Error boundary: shows an error in place of the page that threw it. */
function Guarded({ title, children }: { readonly title: string; readonly children: View }): View {
  const [fault] = useErrorBoundary((error) => reportError(error))
  return fault === undefined ? children : failedPage(title, UNSHOWN)
}

const UNSHOWN = new Error('This page cannot be shown. Load it again, or open it in a new tab.')
const UNFETCHED = new Error('This page could not be fetched. It is tried again when the service answers.')

function showPage(shown: Shown): View {
  if (shown.kind === 'missing') {
    return titled(
      shown.title,
      empty('There is no page at this address.', html`<a class="button" href="/">Go to the overview</a>`),
    )
  }
  if (shown.kind === 'failed') return failedPage(shown.title, UNFETCHED)
  const { match, title, Page } = shown
  return h(Guarded, { key: match.page.path, title, children: h(Page, { params: match.params }) })
}

const failedPage = (title: string, error: Error): View =>
  titled(title, h(Failure, { error, retry: () => location.reload() }))

const titled = (title: string, content: View): View =>
  html`<div class="page"><div class="page-head"><h1>${title}</h1></div>${content}</div>`

const root = document.getElementById('app')
if (root) {
  followLinks()
  keepFocus()
  // The page's module is preloaded, so that shell and page are drawn together.
  const path = location.pathname
  void find(path).then((shown) => render(h(App, { first: { path, shown } }), root))
}
