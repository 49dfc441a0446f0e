/** After a jump of the clock, this many days must be recorded before the new time is trusted. */
export const DAYS_OF_PROOF = 7

/**
 * The newest day that the audit log proves to have come: retention counts back from it, never from the clock alone.
 *
 * A clock that is wrong writes records with wrong days, so the newest record proves nothing by itself. A day counts if
 * it follows the one before without a gap, as today may, or if enough recorded days have come since: a clock that is
 * ahead for less than a week of use drops nothing. Days after `today` belong to a clock that was ahead: they prove
 * nothing.
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
