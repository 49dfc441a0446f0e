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

/** The requests of one turn of the event loop share one question to the counters, and are judged by its answer. */
export function askTogether<Verdict>(needs: Needs<Verdict>): (client: string) => Promise<Verdict> {
  const { traffic, perMinute, seed, judge } = needs
  let waiting: Asking<Verdict>[] = []
  let addresses = new Map<string, Address>()

  async function ask(): Promise<void> {
    const asking = waiting
    const asked = [...addresses.values()]
    waiting = []
    addresses = new Map()
    try {
      answer(asking, asked, await traffic.count(asked))
    } catch (error) {
      for (const { reject } of asking) reject(error)
    }
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
      if (waiting.length === 1) setImmediate(ask)
    })
}
