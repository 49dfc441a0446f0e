import type { Anchored, AuditAnchor } from '#ports/stores/audit-anchor.ts'
import { isDropped } from '../anchor-of-log.ts'
import { toChainId } from '../chains.ts'
import { DROPPED_CHECKPOINT, type Mark } from '../marks.ts'
import { Broken } from './verdict.ts'

type Chains = ReadonlyMap<string, { readonly beginning: Mark; readonly last: Mark }>

/** Compares a log, while it is read, with its anchors from outside the database. */
export function verifyAnchors(anchors: readonly AuditAnchor[]) {
  const batches = new Map<string, Map<number, string>>()
  const checkpoints = new Map<number, string>()
  for (const { checkpoint, ends } of anchors) {
    if (checkpoint.no > 0) checkpoints.set(checkpoint.no, checkpoint.hash)
    for (const [name, { no, hash }] of Object.entries(ends)) {
      const known = batches.get(name) ?? new Map<number, string>()
      batches.set(name, known.set(no, hash))
    }
  }

  return {
    checkpoint({ no, hash }: Anchored, firstSeq: number): void {
      const known = checkpoints.get(no)
      if (known !== undefined && known !== hash)
        throw new Broken(firstSeq, `checkpoint ${no} is not the one that was anchored`)
    },
    batch(chain: string, place: number, hash: string, seq: number): void {
      const known = batches.get(chain)?.get(place)
      if (known !== undefined && known !== hash)
        throw new Broken(seq, `batch ${seq} is not the one that was anchored`)
    },
    /** Call it after the whole log was read. */
    ends(chains: Chains, lastCheckpoint: number, marks: ReadonlyMap<string, Mark>): void {
      const newest = Math.max(0, ...checkpoints.keys())
      if (newest > Math.max(lastCheckpoint, marks.get(DROPPED_CHECKPOINT)?.no ?? 0))
        throw new Broken(0, 'the log ends before a checkpoint that was anchored')
      const days = [...chains.keys()].flatMap((name) => toChainId(name)?.day ?? [])
      for (const [name, known] of batches) {
        const chain = chains.get(name)
        const day = toChainId(name)?.day
        if (!chain && day !== undefined && isDropped(day, days)) continue
        if ((chain?.last.no ?? 0) < Math.max(...known.keys()))
          throw new Broken(0, 'the log ends before the end that was anchored')
      }
    },
  }
}
