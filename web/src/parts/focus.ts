/** After a change of page, or of who is signed in, screen readers and the keyboard go on at the title. */
export function focusTitle(): void {
  const title = document.querySelector('h1')
  title?.setAttribute('tabindex', '-1')
  title?.focus({ preventScroll: true })
}

/** As a `ref`: what has just appeared because of a press gets the focus, once. */
export function focusOnce(element: HTMLElement | null): void {
  if (!element || element.dataset['focused']) return
  element.dataset['focused'] = 'yes'
  element.focus()
}
