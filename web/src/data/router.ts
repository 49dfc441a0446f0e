import { PAGES, type PageRow } from '../pages.ts'
import { createStore, useStore } from './store.ts'

type Place = { readonly path: string; readonly query: URLSearchParams }
export type Match = { readonly page: PageRow; readonly params: Readonly<Record<string, string>> }

/** The target of a navigation and the shown location; they differ until the next page is loaded. */
const address = createStore<Place>(readPlace())
const place = createStore<Place>(address.get())

function readPlace(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search) }
}

/** The location of the shown page. */
export const usePlace = (): Place => useStore(place)
export const useAddress = (): Place => useStore(address)

let isNewPage = false

function arrive(next: Place = readPlace()): void {
  address.set(next)
  // A new page's location is set when it is shown, so that the old page does not change while the new one loads.
  if (next.path === place.get().path) place.set(next)
}

/** Called when the page of the current URL is about to be shown. */
export const showPlace = (): void => place.set(address.get())

/**
 * Scrolls to the top after a link; on back and forward the browser restores the position itself. Returns whether a
 * link led to the page.
 */
export function scrollNewPage(): boolean {
  const isNew = isNewPage
  if (isNew) scrollTo(0, 0)
  isNewPage = false
  return isNew
}

/** The page at a path, or `undefined` where there is none. */
export function matchPage(path: string): Match | undefined {
  for (const page of PAGES) {
    const params = matchPath(page.path, path)
    if (params) return { page, params }
  }
  return undefined
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? ''
    if (part.startsWith('{')) {
      if (value === '') return undefined
      params[part.slice(1, -1)] = decodePart(value)
    } else if (part !== value) return undefined
  }
  return params
}

/** Decodes a part of a URL; returns it unchanged if it is not a valid encoding. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function navigate(href: string): void {
  writeUrl()
  isNewPage = new URL(href, location.href).href !== location.href
  // A link to the present page adds no history entry: going back must not lead to the same page.
  if (isNewPage) history.pushState(null, '', href)
  arrive()
}

/**
 * Sets query parameters, so that a link shows the same state. `undefined` removes one. A `step` adds a history entry, so
 * that the back button undoes it.
 */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  kind: 'step' | 'adjustment' = 'adjustment',
): void {
  const { path, query: before } = address.get()
  const query = new URLSearchParams(before)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  const href = text === '' ? path : `${path}?${text}`
  if (kind === 'step') {
    writeUrl()
    history.pushState(null, '', href)
  } else {
    unwritten = href
    if (pause === undefined) writeUrl()
  }
  arrive({ path, query })
}

/** A URL that the browser does not have yet, because its last one was set a moment ago. */
let unwritten: string | undefined
let pause: ReturnType<typeof setTimeout> | undefined
/** Browsers take a hundred changes of the URL in ten seconds, and ignore or refuse more: a dragged slider makes 60 in one. */
const PAUSE_MS = 150

function writeUrl(): void {
  clearTimeout(pause)
  pause = undefined
  if (unwritten === undefined) return
  history.replaceState(null, '', unwritten)
  unwritten = undefined
  pause = setTimeout(writeUrl, PAUSE_MS)
}

/** Links to pages of the web app change the page without loading the document again. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    isNewPage = false
    unwritten = undefined
    arrive()
  })
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    if (link.origin !== location.origin || link.target !== '' || link.hasAttribute('download')) return
    if (link.pathname === location.pathname && link.hash !== '') return
    if (!matchPage(link.pathname)) return
    event.preventDefault()
    navigate(link.pathname + link.search + link.hash)
  })
}
