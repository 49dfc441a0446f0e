/**
 * Turns wall-clock readings into a monotonic time. After the clock is put back, it continues from the newest
 * reading instead of standing still until the clock has caught up.
 */
export function steadyTime(): (now: number) => number {
  let newest = Number.NEGATIVE_INFINITY
  let lost = 0
  return (now) => {
    lost = Math.max(lost, newest - now)
    newest = now + lost
    return newest
  }
}
