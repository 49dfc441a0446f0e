/** Requests per minute that are sent without a pause. */
const BURST = 10
/** The pause between further ones: with a page's refreshes, half of what one address may send in a minute. */
const APART_MS = 1_500
const MINUTE_MS = 60_000

type Pace = { waitMs(now: number): number; note(now: number): void }

/** Throttles requests: a control that moves all the time must not use up the limit per address. */
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
