/** The rate-limit headers of a call with a credential. */
export type RateLimit = {
  /** The smaller of the two remainders. */
  readonly remaining: number
  readonly remainingMinute: number
  readonly remainingDay: number
  readonly limitMinute: number
  readonly limitDay: number
  /** When the minute window resets. */
  readonly resetAt: Date
}

export function toRateLimit(headers: Headers): RateLimit | undefined {
  if (!headers.has('x-ratelimit-remaining')) return undefined
  const number = (name: string) => Number(headers.get(name))
  return {
    remaining: number('x-ratelimit-remaining'),
    remainingMinute: number('x-ratelimit-remaining-rpm'),
    remainingDay: number('x-ratelimit-remaining-rpd'),
    limitMinute: number('x-ratelimit-limit-rpm'),
    limitDay: number('x-ratelimit-limit-rpd'),
    resetAt: new Date(number('x-ratelimit-reset') * 1000),
  }
}
