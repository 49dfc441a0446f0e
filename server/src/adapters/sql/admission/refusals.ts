import type { Refusal } from '#ports/stores/admission.ts'
import type { WeightedRefusal } from '../audit/batch.ts'

/** Up to `DETAILED` entries keep all detail; up to `MOST` lose the address; the rest keep status and hour. */
const DETAILED = 256
const MOST = 4_096
const MANY = '(many)'

/**
 * Equal refusals of one second become one weighted entry: a flood fills neither the disk nor, while the store
 * cannot be written, the memory. Detail may be lost, weight never.
 */
export function weighRefusals() {
  let entries = new Map<string, WeightedRefusal>()

  function put(entry: WeightedRefusal): void {
    const [second, endpoint, status, address, weight] = entry
    const key = `${second} ${endpoint} ${status} ${address}`
    const known = entries.get(key)
    if (known) entries.set(key, [second, endpoint, status, address, known[4] + weight])
    else if (entries.size < DETAILED) entries.set(key, entry)
    else if (entries.size < MOST && address !== MANY)
      put([startOf(second, 60), endpoint, status, MANY, weight])
    else if (entries.size >= MOST && endpoint !== MANY)
      put([startOf(second, 3_600), MANY, status, MANY, weight])
    else entries.set(key, entry)
  }

  return {
    add({ at, endpoint, status, truncatedAddress }: Refusal): void {
      put([Math.floor(at / 1000), endpoint, status, truncatedAddress, 1])
    },
    take(): readonly WeightedRefusal[] {
      const taken = [...entries.values()]
      entries = new Map()
      return taken
    },
    /** Puts back entries whose commit failed. */
    giveBack(taken: readonly WeightedRefusal[]): void {
      for (const entry of taken) put(entry)
    },
    isEmpty: () => entries.size === 0,
  }
}

const startOf = (second: number, length: number): number => second - (second % length)
