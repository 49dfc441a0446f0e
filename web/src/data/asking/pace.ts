/** So many requests in a row are sent at once … */
const BURST = 10
/** … and later ones this far apart: with the refreshes of a page, half of what one address may send in a minute. */
const APART_MS = 1_500
const MINUTE_MS = 60_000

type Pace = { waitMs(now: number): number; note(now: number): void }

/** How long the next request has to wait, so that a control that moves all the time does not use up the limit. */
export function createPace(): Pace {
  let sent: readonly number[] = []
  return {
    waitMs(now) {
      sent = sent.filter((at) => now - at < MINUTE_MS)
      const last = sent.at(-1)
      return last === undefined || sent.length < BURST ? 0 : Math.max(0, last + APART_MS - now)
    },
    note(now) {
      sent = [...sent, now]
    },
  }
}
