import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { chainHash } from '../batch.ts'
import type { Mark } from '../marks.ts'
import { Broken } from './verdict.ts'

/** A chain's beginning and end, by its marks. */
export type ChainBounds = { readonly beginning: Mark; readonly end: Mark }

export type StoredBatch = {
  readonly seq: number
  readonly day: number
  /** Its chain's end mark, and its place in the chain. */
  readonly chain: string
  readonly place: number
  readonly body: string
  readonly hash: string
}

/** The state of verifying a chain. */
export type Chain = ChainBounds & {
  /** Checkpoints whose last batch was not read yet, oldest first. */
  readonly unmet: AuditCheckpoint[]
  last: Mark
  lastSeq: number
  /** The last batch covered by a checkpoint so far. */
  signedSeq: number
}

/** `chainOf` names the chain of a checkpoint. */
export function openChains(
  bounds: ReadonlyMap<string, ChainBounds>,
  checkpoints: readonly AuditCheckpoint[],
  chainOf: (checkpoint: AuditCheckpoint) => string,
): ReadonlyMap<string, Chain> {
  const chains = new Map<string, Chain>()
  for (const [name, { beginning, end }] of bounds) {
    chains.set(name, { beginning, end, unmet: [], last: beginning, lastSeq: 0, signedSeq: 0 })
  }
  // A checkpoint of a dropped chain only links to the next one.
  for (const checkpoint of checkpoints) chains.get(chainOf(checkpoint))?.unmet.push(checkpoint)
  return chains
}

/** Verifies the next batch of a chain. */
export function verifyBatch(chain: Chain, { seq, day, place, body, hash }: StoredBatch): void {
  const { last } = chain
  if (place !== last.no + 1) throw new Broken(seq, `the batches before batch ${seq} are missing`)
  if (hash !== chainHash(last.hash, seq, day, body)) {
    throw new Broken(seq, `batch ${seq} was changed, or is not in its place`)
  }
  verifySigned(chain, seq, hash)
  chain.last = { no: place, hash }
  chain.lastSeq = seq
}

/** Checkpoints cover a chain without gaps from its first batch; the first may also cover dropped batches. */
function verifySigned(chain: Chain, seq: number, hash: string): void {
  const [signed] = chain.unmet
  if (!signed) return
  const isFirst = chain.lastSeq === chain.signedSeq
  const isCut = chain.lastSeq === 0 && chain.beginning.no > 0
  if (isFirst && (isCut ? seq < signed.firstSeq : seq !== signed.firstSeq)) {
    throw new Broken(seq, `checkpoint ${signed.no} signs for other batches`)
  }
  if (seq < signed.lastSeq) return
  if (seq !== signed.lastSeq || hash !== signed.root) {
    throw new Broken(seq, `batch ${seq} is not the one that was signed`)
  }
  chain.unmet.shift()
  chain.signedSeq = seq
}

export function verifyEnd({ end, last, lastSeq, unmet }: Chain): void {
  if (last.no < end.no) throw new Broken(lastSeq + 1, `the last ${end.no - last.no} batches are missing`)
  if (last.no > end.no) throw new Broken(lastSeq, 'there are batches after the end of a chain')
  if (last.hash !== end.hash) throw new Broken(lastSeq, 'the end of a chain was changed')
  const [unseen] = unmet
  if (unseen) throw new Broken(unseen.firstSeq, 'a checkpoint signs for batches that are missing')
}
