let waiting: MutationObserver | undefined

/**
 * After a change of page, or of who is signed in, screen readers and the keyboard go on at the title. A page that has
 * none before its data are there gets the focus when it has, unless the reader has gone on meanwhile.
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
  const title = document.querySelector('h1')
  title?.setAttribute('tabindex', '-1')
  title?.focus({ preventScroll: true })
  return title !== null
}

/** As a `ref`: what has just appeared because of a press gets the focus, once. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || element.dataset['focused']) return
  element.dataset['focused'] = 'yes'
  element.focus()
}

/**
 * After a press whose button was disabled meanwhile, or is gone with what it was in, the focus is nowhere: it goes back
 * to the button, or to the element with the id `otherwise`.
 */
export function keepFocus(pressed: Element | null, otherwise: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    const target = pressed?.isConnected ? pressed : document.getElementById(otherwise)
    if (target instanceof HTMLElement) target.focus()
  })
}
