/** After a jump of the clock, this many days must be recorded before the new time is trusted. */
export const DAYS_OF_PROOF = 7

/**
 * The newest day that the audit log proves: retention counts back from it, never from the clock alone.
 *
 * A wrong clock writes records with wrong days, so the newest record alone proves nothing. A day is proven if it
 * follows a proven day without a gap (this applies to today, too), or if at least `DAYS_OF_PROOF` recorded days begin
 * with it. So a clock that is ahead for less than a week of use drops nothing. Days after `today` were written by a
 * clock that was ahead and are ignored.
 */
export function provenDay(recorded: readonly number[], today: number): number | undefined {
  const days = recorded.filter((day) => day <= today).sort((a, b) => a - b)
  let proven = days[0]
  const follows = (day: number) => proven !== undefined && day - proven <= 1
  days.forEach((day, at) => {
    const since = days.length - at
    if (follows(day) || since >= DAYS_OF_PROOF) proven = day
  })
  return follows(today) ? today : proven
}
