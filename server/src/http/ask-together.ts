import type { AddressHits, AddressKey, TrafficCount, TrafficCounters } from '#ports/traffic-counters.ts'

export type RequestCount = {
  /** Of its address in its UTC minute, this request included. */
  readonly ofAddress: number
  readonly minuteEndsAt: number
  /** Of everybody in the trailing minute, this request included if its address may send it. */
  readonly ofAll: number
  readonly now: number
}

type Asking = {
  readonly address: AddressKey
  readonly resolve: (count: RequestCount) => void
  readonly reject: (reason: unknown) => void
}

type Needs = { readonly traffic: TrafficCounters; readonly perMinute: number }

/** The requests of one turn of the event loop share one question to the counters. */
export function askTogether({ traffic, perMinute }: Needs): (address: AddressKey) => Promise<RequestCount> {
  let waiting: Asking[] = []

  async function ask(): Promise<void> {
    const asking = waiting
    waiting = []
    const hits = gather(asking)
    try {
      answer(asking, hits, await traffic.count([...hits.values()]), perMinute)
    } catch (error) {
      for (const { reject } of asking) reject(error)
    }
  }

  return (address) =>
    new Promise((resolve, reject) => {
      waiting.push({ address, resolve, reject })
      if (waiting.length === 1) setImmediate(ask)
    })
}

const keyOf = ({ high, low }: AddressKey): string => `${high} ${low}`

function gather(asking: readonly Asking[]): ReadonlyMap<string, AddressHits> {
  const hits = new Map<string, AddressHits>()
  for (const { address } of asking) {
    const key = keyOf(address)
    hits.set(key, { ...address, hits: (hits.get(key)?.hits ?? 0) + 1 })
  }
  return hits
}

/** Those who ask together are counted one after the other, in the order in which they came. */
function answer(
  asking: readonly Asking[],
  asked: ReadonlyMap<string, AddressHits>,
  { ofAddresses, before, minuteEndsAt, now }: TrafficCount,
  perMinute: number,
): void {
  const counted = new Map([...asked].map(([key, { hits }], at) => [key, (ofAddresses[at] ?? hits) - hits]))
  let ofAll = before
  for (const { address, resolve } of asking) {
    const ofAddress = (counted.get(keyOf(address)) ?? 0) + 1
    counted.set(keyOf(address), ofAddress)
    if (ofAddress <= perMinute) ofAll += 1
    resolve({ ofAddress, minuteEndsAt, ofAll, now })
  }
}
