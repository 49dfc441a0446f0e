import { hashKey } from '#domain/limits/hit-table.ts'
import type { AddressKey, TrafficCount, TrafficCounters } from '#ports/stores/traffic-counters.ts'

export type RequestCount = {
  /** Requests of its address in this UTC minute, including this one. */
  readonly ofAddress: number
  readonly minuteEndsAt: number
  /** Requests of all addresses in the trailing minute, including this one if its address is within its limit. */
  readonly ofAll: number
  readonly now: number
}

/** The requests of one address in a batch, and the running count of the address. */
type Address = AddressKey & { readonly client: string; hits: number; counted: number }

type Waiting<Verdict, Sender> = {
  readonly address: Address
  readonly sender: Sender
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (reason: unknown) => void
}

type Needs<Verdict, Sender> = {
  readonly traffic: TrafficCounters
  readonly perMinute: number
  /** Seed of the hash that the counters store instead of an address; all instances need the same one. */
  readonly seed: number
  readonly judge: (client: string, count: RequestCount, sender: Sender) => Verdict
}

/** A batch keeps waiting while each turn of the event loop adds a request, up to this number of turns. */
const MAX_TURNS_TO_GATHER = 16

/**
 * Counts requests in batches, one batch at a time: requests that arrive during a round trip to the counters form the
 * next batch. So the round trips per request decrease with the load.
 */
export function batchCounts<Verdict, Sender>(
  needs: Needs<Verdict, Sender>,
): (client: string, sender: Sender) => Promise<Verdict> {
  const { traffic, perMinute, seed, judge } = needs
  let waiting: Waiting<Verdict, Sender>[] = []
  let addresses = new Map<string, Address>()
  let isCounting = false

  function takeBatch() {
    const batch = { requests: waiting, addresses: [...addresses.values()] }
    waiting = []
    addresses = new Map()
    return batch
  }

  /** Never rejects: a failure goes to the requests of the batch. */
  async function countBatch(): Promise<void> {
    const batch = takeBatch()
    isCounting = true
    try {
      resolveBatch(batch.requests, batch.addresses, await traffic.count(batch.addresses))
    } catch (error) {
      // Rejects those waiting behind the batch, too: they have waited up to the full timeout, and a retry would
      // double it.
      for (const { reject } of [...batch.requests, ...takeBatch().requests]) reject(error)
    }
    isCounting = false
    if (waiting.length > 0) setImmediate(gather, 0, 1)
  }

  /** Requests that arrive in successive turns of the event loop share a batch, too. */
  function gather(before: number, turns: number): void {
    if (waiting.length > before && turns < MAX_TURNS_TO_GATHER)
      setImmediate(gather, waiting.length, turns + 1)
    else void countBatch()
  }

  /** Within a batch, requests are counted one after the other, in the order of their arrival. */
  function resolveBatch(
    requests: readonly Waiting<Verdict, Sender>[],
    hits: readonly Address[],
    { ofAddresses, before, minuteEndsAt, now }: TrafficCount,
  ): void {
    hits.forEach((address, at) => {
      address.counted = (ofAddresses[at] ?? address.hits) - address.hits
    })
    let ofAll = before
    for (const { address, sender, resolve } of requests) {
      address.counted += 1
      if (address.counted <= perMinute) ofAll += 1
      resolve(judge(address.client, { ofAddress: address.counted, minuteEndsAt, ofAll, now }, sender))
    }
  }

  function addressOf(client: string): Address {
    const known = addresses.get(client)
    if (known) return known
    const address = { ...hashKey(client, seed), client, hits: 0, counted: 0 }
    addresses.set(client, address)
    return address
  }

  return (client, sender) =>
    new Promise((resolve, reject) => {
      const address = addressOf(client)
      address.hits += 1
      waiting.push({ address, sender, resolve, reject })
      if (waiting.length === 1 && !isCounting) setImmediate(gather, 0, 1)
    })
}
