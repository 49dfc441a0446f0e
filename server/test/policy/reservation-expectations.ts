import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { endOf, LIMITS } from './reservation-world.ts'

/** Reference model of windows: brute force over a list of all builds. */

export const STEP_MS = 5 * MINUTE_MS

export type Built = {
  readonly id: string
  readonly validatorId: string
  readonly amount: bigint
  readonly expiresAt: number
  readonly epoch: number
  /** The chain accepts it until the end of this epoch, regardless of `expiresAt`. */
  readonly lastEpoch: number
  /** True time of the build since the start of the run, independent of the clock. */
  readonly builtAfter: number
  at: number
  /** Second date, from a clock that was ahead: the build counts again once the clock reaches it. */
  laterAt: number | undefined
  isFree: boolean
  isExecuted: boolean
}

type Wanted = {
  readonly now: number
  readonly epoch: number
  readonly epochStartedAt: number
  readonly amount: bigint
  readonly times: number
}

/** A build with a date in the future counts as of now, and at its own date once the clock reaches it. */
function redate(one: Built, now: number): void {
  const last = Math.max(one.at, one.laterAt ?? one.at)
  if (last <= now + STEP_MS) Object.assign(one, { at: last, laterAt: undefined })
  else Object.assign(one, { at: Math.min(one.at, now), laterAt: last })
}

/**
 * Time from which on a build that was not executed never will be. Infinite while the chain accepts it: epochs of the
 * model do not end by themselves.
 */
function overAt({ expiresAt, lastEpoch }: Built, { epoch, epochStartedAt }: Wanted): number {
  if (epoch <= lastEpoch) return Number.POSITIVE_INFINITY
  return Math.max(expiresAt, epoch === lastEpoch + 1 ? epochStartedAt : 0) + STEP_MS
}

/** How many builds of this amount fit into all windows. Releases expired builds if otherwise not all of them fit. */
export function expectedRoom(built: readonly Built[], wanted: Wanted): number {
  const { now, epoch, amount, times } = wanted
  for (const one of built) if (!one.isFree) redate(one, now)
  const fits = () => {
    const counted = built.filter(({ isFree }) => !isFree)
    const left = (limit: bigint, part: readonly Built[]) =>
      (limit - part.reduce((sum, one) => sum + one.amount, 0n)) / amount
    const lefts = [
      left(
        LIMITS.hour,
        counted.filter(({ at }) => at > now - HOUR_MS),
      ),
      left(
        LIMITS.day,
        counted.filter(({ at }) => at > now - DAY_MS),
      ),
      left(
        LIMITS.epoch,
        counted.filter((one) => one.epoch >= epoch),
      ),
    ]
    return Math.max(0, Math.min(...lefts.map(Number)))
  }
  if (fits() >= times) return fits()
  // Only when room is short, builds that the chain does not accept any more are released.
  const isRead = (one: Built) => one.at > now - DAY_MS || one.epoch >= epoch
  for (const one of built) {
    if (isRead(one) && overAt(one, wanted) <= now && !one.isExecuted) one.isFree = true
  }
  return fits()
}

/** When each full window has room again: tries every moment at which a build leaves the window or is released. */
export function expectedClears(built: readonly Built[], wanted: Wanted) {
  const { now, epoch, amount } = wanted
  const counted = built.filter(({ isFree }) => !isFree)
  const isBack = (one: Built, at: number) => !one.isExecuted && overAt(one, wanted) <= at
  const clears = new Map<string, number | undefined>()
  for (const [window, limit, inWindow, ends] of [
    ['hour', LIMITS.hour, (one: Built, at: number) => one.at > at - HOUR_MS, HOUR_MS],
    ['day', LIMITS.day, (one: Built, at: number) => one.at > at - DAY_MS, DAY_MS],
    ['epoch', LIMITS.epoch, (one: Built, at: number) => one.epoch >= epoch && at < endOf(epoch), undefined],
  ] as const) {
    const fits = (at: number) =>
      counted.reduce(
        (sum, one) => (inWindow(one, at) && !isBack(one, at) ? sum + one.amount : sum),
        amount,
      ) <= limit
    const moments = counted
      .flatMap((one) => [ends === undefined ? endOf(epoch) : one.at + ends, overAt(one, wanted)])
      .filter((at) => at > now)
      .toSorted((one, other) => one - other)
    if (!fits(now)) clears.set(window, moments.find(fits))
  }
  return clears
}
