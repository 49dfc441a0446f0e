import type { ChainWitnesses } from '#ports/chain/chain-witnesses.ts'
import type { ChainSnapshot } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import type { ChainReader } from './chain-reader.ts'
import { forRefresh } from './connection/attempt.ts'
import type { Endpoints } from './connection/endpoints.ts'
import { untilAborted } from './share-reads.ts'

/** The answer of a host, and its time. */
type Testimony = { readonly host: string; readonly snapshot: ChainSnapshot; readonly at: number }

type Needs = {
  readonly endpoints: Pick<Endpoints, 'askEach' | 'hostCount' | 'limits'>
  readonly reader: Pick<ChainReader, 'readState'>
  readonly clock: Clock
}

/**
 * Asks every endpoint separately. Concurrent callers share the answers, which are cached for a few seconds. After a
 * round with too few answers, the hosts that did not answer are asked again before callers retry.
 */
export function witnessesOf({ endpoints, reader, clock }: Needs): ChainWitnesses {
  let last: Promise<readonly ChainSnapshot[]> | undefined
  /** Lifetime of the last round's answers. Undefined while a round is running, which later callers then share. */
  let cached: { readonly since: number; readonly ms: number } | undefined
  let testimonies: readonly Testimony[] = []
  const { witnessMs, failedWitnessMs } = endpoints.limits
  const enough = Math.min(2, endpoints.hostCount)
  const isOver = ({ since, ms }: { readonly since: number; readonly ms: number }) =>
    clock.now() < since || clock.now() - since >= ms

  async function askRound(): Promise<readonly ChainSnapshot[]> {
    const fresh = testimonies.filter(({ at }) => !isOver({ since: at, ms: witnessMs }))
    const answers = await endpoints.askEach(
      {
        ...forRefresh(async (talk) => ({ host: talk.host, ...(await reader.readState(talk)) })),
        except: new Set(fresh.map(({ host }) => host)),
      },
      new AbortController().signal,
    )
    const at = clock.now()
    const heard = answers.flatMap((answer) =>
      answer.status === 'fulfilled' ? [{ ...answer.value, at }] : [],
    )
    testimonies = [...fresh, ...heard]
    const oldest = Math.min(...testimonies.map((one) => one.at))
    cached =
      testimonies.length < enough ? { since: at, ms: failedWitnessMs } : { since: oldest, ms: witnessMs }
    return testimonies.map(({ snapshot }) => snapshot)
  }

  function sharedRound(): Promise<readonly ChainSnapshot[]> {
    if (last && !(cached && isOver(cached))) return last
    cached = undefined
    const asking = askRound()
    last = asking
    asking.catch(() => {
      if (last === asking) last = undefined
    })
    return asking
  }

  return {
    count: endpoints.hostCount,
    ask: (deadline) => untilAborted(sharedRound(), deadline),
  }
}
