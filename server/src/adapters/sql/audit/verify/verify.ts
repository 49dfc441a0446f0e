import type { AuditAnchor } from '#ports/stores/audit-anchor.ts'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import { type AuditBatch, agentsIn, toBatch } from '../batch.ts'
import { checkpointHash, checkpointText, toCheckpoint } from '../checkpoint.ts'
import {
  ANCHORED,
  DROPPED_CHECKPOINT,
  EMPTY_MARK,
  isSameMark,
  type Mark,
  markText,
  NEWEST_CHECKPOINT,
} from '../marks.ts'
import type { AuditSeal } from '../seal.ts'
import type { StoredRows } from '../stored-rows.ts'
import { type AuditVerdict, Broken, toDate } from './verdict.ts'
import { verifyAnchors } from './verify-anchors.ts'
import {
  type Chain,
  type ChainBounds,
  openChains,
  type StoredBatch,
  verifyBatch,
  verifyEnd,
} from './verify-chains.ts'
import type { DayCharge } from './verify-charges.ts'
import { type DayCount, verifyCounts } from './verify-counts.ts'
import { type RowsCheck, verifyPresence, verifyRows } from './verify-rows.ts'

export type Row = Readonly<Record<string, unknown>>
export type Marks = ReadonlyMap<string, Mark>

/** A part of the log: batches and their entries in the index of agents, both by `seq`. */
export type Section = {
  readonly batches: AsyncIterable<StoredBatch>
  readonly entries: AsyncIterable<{ readonly seq: number; readonly agentNo: number }>
}

/** An audit log in one snapshot of its store. */
export type StoredLog = {
  marks(): AsyncIterable<Row>
  checkpoints(): AsyncIterable<Row>
  /** Throws `Broken` when a chain is missing. */
  chainsOf(marks: Marks): ReadonlyMap<string, ChainBounds>
  chainOf(checkpoint: AuditCheckpoint): string
  sections(marks: Marks): AsyncIterable<Section>
  isIndexed(batch: StoredBatch, marks: Marks): boolean
  /** Whether any request was counted: counting and logging are one commit. */
  hasCounted(): Promise<boolean>
  dayCounts(): AsyncIterable<DayCount>
  dayCharges(): AsyncIterable<DayCharge>
  /** Whether nothing was ever dropped. */
  isWhole(marks: Marks): boolean
}

type Compared = {
  readonly anchored: ReturnType<typeof verifyAnchors>
  readonly counted: ReturnType<typeof verifyCounts>
}

/**
 * Reads the whole log and checks that nothing was changed, dropped, swapped, added or cut off, that it
 * contains what was anchored, and that it has all counted requests. With `store`, also checks actions, agents
 * and mandates.
 */
export async function verifyLog(
  log: StoredLog,
  seal: AuditSeal,
  anchors: readonly AuditAnchor[] = [],
  store?: RowsCheck & { readonly rows: StoredRows },
): Promise<AuditVerdict> {
  const compared = { anchored: verifyAnchors(anchors), counted: verifyCounts() }
  try {
    if (store) await verifyPresence(store.rows)
    const marks = await verifyMarks(log, seal)
    const checkpoints = await verifyCheckpoints(log, seal, marks)
    for (const checkpoint of checkpoints) compared.anchored.checkpoint(checkpoint, checkpoint.firstSeq)
    const chains = openChains(log.chainsOf(marks), checkpoints, log.chainOf)
    const isEmpty = chains.values().every(({ end }) => end.no === 0)
    if (isEmpty && (await log.hasCounted()))
      throw new Broken(1, 'requests were counted, but the log is empty')
    const { batches, from, to, first, last } = await verifySections(log, marks, chains, compared)
    for (const chain of chains.values()) verifyEnd(chain)
    compared.anchored.ends(chains, checkpoints.at(-1)?.no ?? 0, marks)
    const kept = log.isWhole(marks) ? undefined : { first, last }
    await compared.counted.compare(log.dayCounts(), { kept, newest: to ?? 0 })
    await compared.counted.charges.compare(log.dayCharges(), to ?? 0)
    if (store) {
      const signed = checkpoints.flatMap(({ action }) => action ?? [])
      await verifyRows(store.rows, store, { agents: compared.counted.agents, newestDay: to, anchors, signed })
    }
    const since = Math.max(0, ...anchors.map((anchor) => anchor.since ?? 0))
    const anchoring = {
      wasAnchored: marks.has(ANCHORED),
      // An anchor made from a checkpoint has no ends.
      anchors: anchors.filter(({ ends }) => Object.keys(ends).length > 0).length,
      anchoredSince: since > 0 ? new Date(since).toISOString() : undefined,
    }
    return {
      kind: 'intact',
      batches,
      checkpoints: checkpoints.length,
      ...anchoring,
      from: toDate(from),
      to: toDate(to),
    }
  } catch (error) {
    if (error instanceof Broken) return error.verdict
    throw error
  }
}

async function verifyMarks(log: StoredLog, seal: AuditSeal): Promise<Marks> {
  const marks = new Map<string, Mark>()
  for await (const row of log.marks()) {
    const name = String(row['name'])
    const mark = { no: Number(row['no']), hash: String(row['hash']) }
    if (!seal.isMac(markText(name, mark), String(row['mac']))) throw new Broken(0, `mark ${name} was changed`)
    marks.set(name, mark)
  }
  return marks
}

/** Verifies signatures and the hash chain of the checkpoints. */
async function verifyCheckpoints(
  log: StoredLog,
  seal: AuditSeal,
  marks: Marks,
): Promise<readonly AuditCheckpoint[]> {
  const checkpoints: AuditCheckpoint[] = []
  let last = marks.get(DROPPED_CHECKPOINT) ?? EMPTY_MARK
  for await (const row of log.checkpoints()) {
    const checkpoint = toCheckpoint(row)
    const { no, firstSeq, previous, hash, signature } = checkpoint
    const broken = (reason: string) => new Broken(firstSeq, `checkpoint ${no} ${reason}`)
    const text = checkpointText(checkpoint)
    if (hash !== checkpointHash(text)) throw broken('was changed')
    if (!seal.isSigned(text, signature)) throw broken('is not signed by this service')
    if (no !== last.no + 1 || previous !== last.hash) throw broken('does not follow the one before it')
    last = { no, hash }
    checkpoints.push(checkpoint)
  }
  if (!isSameMark(last, marks.get(NEWEST_CHECKPOINT) ?? EMPTY_MARK)) {
    throw new Broken((checkpoints.at(-1)?.lastSeq ?? 0) + 1, 'the last checkpoints are missing')
  }
  return checkpoints
}

async function verifySections(
  log: StoredLog,
  marks: Marks,
  chains: ReadonlyMap<string, Chain>,
  { anchored, counted }: Compared,
) {
  let batches = 0
  let from: number | undefined
  let to: number | undefined
  let first = { seq: Number.POSITIVE_INFINITY, day: Number.POSITIVE_INFINITY }
  let last = { seq: 0, day: 0 }
  for await (const { batches: rows, entries } of log.sections(marks)) {
    const agents = openAgentIndex(entries)
    for await (const batch of rows) {
      const chain = chains.get(batch.chain)
      if (!chain) throw new Broken(batch.seq, `batch ${batch.seq} belongs to no chain`)
      verifyBatch(chain, batch)
      anchored.batch(batch.chain, batch.place, batch.hash, batch.seq)
      const content = toBatch(batch.body)
      counted.add(content.i, batch.seq)
      const expected = log.isIndexed(batch, marks) ? agentsOf(content) : ''
      if ((await agents.upTo(batch.seq)) !== expected) {
        throw new Broken(batch.seq, `the index of agents for batch ${batch.seq} was changed`)
      }
      batches += 1
      if (batch.seq < first.seq) first = batch
      if (batch.seq > last.seq) last = batch
      from = Math.min(from ?? batch.day, batch.day)
      to = Math.max(to ?? batch.day, batch.day)
    }
    if ((await agents.upTo(Number.POSITIVE_INFINITY)) !== '') {
      throw new Broken(0, 'the index of agents was added to')
    }
  }
  return { batches, from, to, first: first.day, last: last.day }
}

const agentsOf = (batch: AuditBatch): string => [...agentsIn(batch)].sort((a, b) => a - b).join()

/** The indexed agents of each batch; call `upTo` in order of batches. */
function openAgentIndex(entries: Section['entries']) {
  const rows = entries[Symbol.asyncIterator]()
  let next: IteratorResult<{ readonly seq: number; readonly agentNo: number }, unknown> | undefined
  return {
    async upTo(seq: number): Promise<string> {
      const agents: number[] = []
      next ??= await rows.next()
      while (!next.done && next.value.seq <= seq) {
        agents.push(next.value.agentNo)
        next = await rows.next()
      }
      return agents.join()
    },
  }
}
