import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { ChainReader } from './chain-reader.ts'
import { forRefresh } from './connection/attempt.ts'
import type { Endpoints } from './connection/endpoints.ts'
import { whenAborted } from './share-reads.ts'

type Needs = {
  readonly endpoints: Endpoints
  readonly reader: ChainReader
  readonly clock: Clock
}

/**
 * Asks every endpoint separately. Concurrent callers share the answers, which are cached for a few seconds; those of a
 * look with too few answers for a shorter time than callers are told to wait.
 */
export function witnessesOf({ endpoints, reader, clock }: Needs): ChainWitnesses {
  let last: Promise<readonly ChainSnapshot[]> | undefined
  /** Undefined while the endpoints are being asked; slow nodes may take longer than a caller can wait. */
  let endedAt: number | undefined
  let cachedMs: number = endpoints.limits.witnessMs
  const enough = Math.min(2, endpoints.hostCount)

  async function look(): Promise<readonly ChainSnapshot[]> {
    const answers = await endpoints.askEach(
      forRefresh(async (talk) => (await reader.readState(talk)).snapshot),
      new AbortController().signal,
    )
    const said = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const { witnessMs, failedWitnessMs } = endpoints.limits
    cachedMs = said.length < enough ? failedWitnessMs : witnessMs
    return said
  }

  function sharedLook(): Promise<readonly ChainSnapshot[]> {
    const now = clock.now()
    const isOld = endedAt !== undefined && (now < endedAt || now - endedAt >= cachedMs)
    if (last && !isOld) return last
    endedAt = undefined
    last = look().finally(() => {
      endedAt = clock.now()
    })
    return last
  }

  return {
    count: endpoints.hostCount,
    ask: (deadline) => Promise.race([sharedLook(), whenAborted(deadline)]),
  }
}
