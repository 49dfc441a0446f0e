import { decodePart } from '../data/router.ts'

let waiting: MutationObserver | undefined

/**
 * After a change of page, or of who is signed in, screen readers and the keyboard go on at the title, or at
 * the part that the address names. A page that has none before its data are there gets the focus when it has, unless
 * the reader has gone on meanwhile.
 */
export function focusTitle(): void {
  waiting?.disconnect()
  waiting = undefined
  if (focusPresentTitle()) return
  const before = document.activeElement
  waiting = new MutationObserver(() => {
    const hasGoneOn = document.activeElement !== before && document.activeElement !== document.body
    if (hasGoneOn || focusPresentTitle()) waiting?.disconnect()
  })
  waiting.observe(document.body, { childList: true, subtree: true })
}

function focusPresentTitle(): boolean {
  const named = document.getElementById(decodePart(location.hash.slice(1)))
  const title = named ?? document.querySelector<HTMLElement>('h1')
  focusPlace(title ?? undefined)
  return title !== null
}

/** As a `ref`: what has just appeared because of a press gets the focus, once. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || element.dataset['focused']) return
  element.dataset['focused'] = 'yes'
  element.focus()
}

/**
 * Keeps the focus somewhere on the page, whatever is pressed. A button that works is marked with `aria-disabled`, which
 * leaves it the focus, and its presses go nowhere. Where the element with the focus is gone with what it was in, the
 * focus goes to what that was a part of: the nearest part of the page that has a name.
 */
export function keepFocus(): void {
  addEventListener('click', ignoreIfDisabled, true)
  let last: readonly Element[] = []
  addEventListener('focusin', ({ target }) => {
    last = target instanceof Element ? ancestorsOf(target) : []
  })
  addEventListener('focusout', () => {
    // Who presses beside everything wants no focus; the element is still there then.
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
