const reasons = new Set<string>()
const ask = (event: Event) => event.preventDefault()

/** While there is a reason, the browser asks before the page is closed, loaded again or left for another site. */
export function askBeforeLeaving(reason: string, isHeld: boolean): void {
  if (isHeld) reasons.add(reason)
  else reasons.delete(reason)
  if (reasons.size > 0) addEventListener('beforeunload', ask)
  else removeEventListener('beforeunload', ask)
}
