/**
 * Makes a wall clock fit for measuring how much time has passed: what it returns never goes back, and it goes on at
 * once after the clock was put back, instead of standing still until the clock has caught up.
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
