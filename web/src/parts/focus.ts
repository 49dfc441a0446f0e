import { decodePart } from '../data/router.ts'

let waiting: MutationObserver | undefined

/**
 * After a navigation or a sign-in, focus moves to the title, or to the part in the URL's hash. If the title appears
 * only with the data, it gets the focus then, unless the user has moved on.
 */
export function focusTitle(): void {
  waiting?.disconnect()
  waiting = undefined
  if (focusPresentTitle()) return
  const before = document.activeElement
  waiting = new MutationObserver(() => {
    const hasMovedOn = document.activeElement !== before && document.activeElement !== document.body
    if (hasMovedOn || focusPresentTitle()) waiting?.disconnect()
  })
  waiting.observe(document.body, { childList: true, subtree: true })
}

function focusPresentTitle(): boolean {
  const named = document.getElementById(decodePart(location.hash.slice(1)))
  const title = named ?? document.querySelector<HTMLElement>('h1')
  focusPlace(title ?? undefined)
  return title !== null
}

/**
 * The same after an action on the page, once the page is drawn again; also scrolls the title into view. If the user has
 * pressed a key by then, the focus stays where it is.
 */
export function showTitle(): void {
  const movedOn = new AbortController()
  addEventListener('keydown', () => movedOn.abort(), { once: true, capture: true, signal: movedOn.signal })
  requestAnimationFrame(() => {
    if (movedOn.signal.aborted) return
    movedOn.abort()
    focusTitle()
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  })
}

/** Focuses the title of a section and scrolls to it, after that section was changed. */
export function focusPart(id: string): void {
  const title = document.getElementById(id) ?? undefined
  focusPlace(title)
  title?.scrollIntoView({ block: 'nearest' })
}

/** A `ref` that focuses an element once, when it appears after a press. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || element.dataset['focused']) return
  element.dataset['focused'] = 'yes'
  element.focus()
}

/**
 * Keeps the focus on the page. A busy button has `aria-disabled`, which keeps its focus, and its presses are
 * ignored. If the focused element is removed, the nearest labelled ancestor gets the focus.
 */
export function keepFocus(): void {
  addEventListener('click', ignoreIfDisabled, true)
  let last: readonly Element[] = []
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? ancestorsOf(target) : []
  })
  addEventListener('focusout', () => {
    // A press on the background removes the focus on purpose; the element still exists then.
    queueMicrotask(() => {
      if (last[0]?.isConnected && document.activeElement === document.body) last = []
    })
  })
  new MutationObserver(() => {
    if (last[0] === undefined || last[0].isConnected || document.activeElement !== document.body) return
    const place = last.filter((element) => element.isConnected).map(namedPlace)
    focusPlace(place.find((element) => element !== undefined))
  }).observe(document.body, { childList: true, subtree: true })
}

function ignoreIfDisabled(event: Event): void {
  if (!(event.target instanceof Element) || !event.target.closest('[aria-disabled="true"]')) return
  event.preventDefault()
  event.stopImmediatePropagation()
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement
  return parent ? [element, ...ancestorsOf(parent)] : [element]
}

/** The part itself, if it has a label, or its first heading. */
const namedPlace = (element: Element): HTMLElement | undefined =>
  element instanceof HTMLElement && element.matches('main [aria-label]:not([role="group"])')
    ? element
    : (element.querySelector<HTMLElement>('h1, h2, h3') ?? undefined)

function focusPlace(place: HTMLElement | undefined): void {
  if (!place) return
  if (!place.hasAttribute('tabindex')) place.setAttribute('tabindex', '-1')
  place.focus({ preventScroll: true })
}
