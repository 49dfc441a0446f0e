import { judgeLoad, type LoadJudgement } from './judge-load.ts'
import { trailingMinute } from './trailing-minute.ts'

export type Breaker = {
  /** Counts one request, refused or not, and says whether it must be refused. */
  hit(now: number): LoadJudgement
}

/**
 * The last line against overload: above so many requests in the trailing minute whoever has no reserved share is
 * refused, until traffic has calmed down. Refused requests count, or it would flap; requests refused by the address
 * throttle do not get here, or one address could shut everybody out.
 */
export function breaker({ perMinute }: { readonly perMinute: number }): Breaker {
  const requests = trailingMinute()
  const judge = judgeLoad({ perMinute })
  return { hit: (now) => judge(requests.add(now), now) }
}
