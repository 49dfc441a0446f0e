const reasons = new Set<string>()
const ask = (event: Event) => event.preventDefault()

/** While a reason is registered, the browser asks before the page is closed, reloaded or left. */
export function askBeforeLeaving(reason: string, isHeld: boolean): void {
  if (isHeld) reasons.add(reason)
  else reasons.delete(reason)
  if (reasons.size > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}
