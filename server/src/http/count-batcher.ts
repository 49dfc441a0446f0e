import { hashKey } from '#domain/limits/hit-table.ts'
import type { AddressKey, TrafficCount, TrafficCounters } from '#ports/traffic-counters.ts'

export type RequestCount = {
  /** Of its address in its UTC minute, this request included. */
  readonly ofAddress: number
  readonly minuteEndsAt: number
  /** Of everybody in the trailing minute, this request included if its address may send it. */
  readonly ofAll: number
  readonly now: number
}

/** An address with its requests that are asked for together, and the total of which it has been told. */
type Address = AddressKey & { readonly client: string; hits: number; told: number }

type Asking<Verdict> = {
  readonly address: Address
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (reason: unknown) => void
}

type Needs<Verdict> = {
  readonly traffic: TrafficCounters
  readonly perMinute: number
  /** Addresses are known to the counters by a hash with this seed; all instances need the same one. */
  readonly seed: number
  readonly judge: (client: string, count: RequestCount) => Verdict
}

/** A question waits while every turn of the event loop brings somebody, but not for more turns than this. */
const MOST_TURNS_TO_GATHER = 16

/**
 * There is one question to the counters at a time. Those who come while it is under way share the next one, and are
 * judged by its answer: the more there are, the fewer questions each of them costs.
 */
export function askTogether<Verdict>(needs: Needs<Verdict>): (client: string) => Promise<Verdict> {
  const { traffic, perMinute, seed, judge } = needs
  let waiting: Asking<Verdict>[] = []
  let addresses = new Map<string, Address>()
  let isAsking = false

  function takeWaiting() {
    const taken = { asking: waiting, asked: [...addresses.values()] }
    waiting = []
    addresses = new Map()
    return taken
  }

  async function ask(): Promise<void> {
    const { asking, asked } = takeWaiting()
    isAsking = true
    try {
      answer(asking, asked, await traffic.count(asked))
    } catch (error) {
      // Whoever came since has waited as long as a store may take: asking it again would keep them for twice that.
      for (const { reject } of [...asking, ...takeWaiting().asking]) reject(error)
    }
    isAsking = false
    if (waiting.length > 0) setImmediate(gather, 0, 1)
  }

  /** Those who come one turn of the event loop after the other share a question, too. */
  function gather(before: number, turns: number): void {
    if (waiting.length > before && turns < MOST_TURNS_TO_GATHER)
      setImmediate(gather, waiting.length, turns + 1)
    else ask()
  }

  /** Those who ask together are counted one after the other, in the order in which they came. */
  function answer(asking: readonly Asking<Verdict>[], asked: readonly Address[], count: TrafficCount): void {
    const { ofAddresses, before, minuteEndsAt, now } = count
    asked.forEach((address, at) => {
      address.told = (ofAddresses[at] ?? address.hits) - address.hits
    })
    let ofAll = before
    for (const { address, resolve } of asking) {
      address.told += 1
      if (address.told <= perMinute) ofAll += 1
      resolve(judge(address.client, { ofAddress: address.told, minuteEndsAt, ofAll, now }))
    }
  }

  function addressOf(client: string): Address {
    const known = addresses.get(client)
    if (known) return known
    const address = { ...hashKey(client, seed), client, hits: 0, told: 0 }
    addresses.set(client, address)
    return address
  }

  return (client) =>
    new Promise((resolve, reject) => {
      const address = addressOf(client)
      address.hits += 1
      waiting.push({ address, resolve, reject })
      if (waiting.length === 1 && !isAsking) setImmediate(gather, 0, 1)
    })
}
