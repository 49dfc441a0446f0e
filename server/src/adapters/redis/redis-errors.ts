import { ReplyError } from 'ioredis'
import { Fault } from '../../fault.ts'

/** Error replies of a server that cannot work now, as opposed to a faulty command. */
const NOT_WORKING =
  /^(?:LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|MOVED|ASK|OOM|MISCONF|BUSY|NOREPLICAS|NOAUTH|WRONGPASS)/

/** A primary demoted to a replica refuses writes. Older servers say so inside a failed script's message. */
export const isDemoted = ({ message }: Error): boolean => /\bREADONLY\b/.test(message)

export async function withRedisFaults<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    const isReply = cause instanceof Error && cause instanceof ReplyError
    const isOurMistake = isReply && !NOT_WORKING.test(cause.message) && !isDemoted(cause)
    if (isOurMistake) throw cause
    throw new Fault('store_not_ready', 'Requests cannot be counted right now; try again shortly.', {
      cause,
      retryAfterSeconds: 1,
    })
  }
}
