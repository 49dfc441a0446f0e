import { hash } from 'node:crypto'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import type { AuditSeal } from './seal.ts'

/** A checkpoint covers at most this many batches: finding out how far it reaches must not take long. */
export const MOST_BATCHES_SIGNED = 5_000

export const CHECKPOINT_COLUMNS =
  'no, first_seq, last_seq, day, at, root, previous, hash, signature, instance'

type Content = Omit<AuditCheckpoint, 'hash' | 'signature'>

/** What is signed, and hashed for the checkpoint after it. */
export const checkpointText = (content: Content): string =>
  JSON.stringify([
    content.no,
    content.firstSeq,
    content.lastSeq,
    content.day,
    content.at,
    content.root,
    content.previous,
    content.instance,
  ])

export const checkpointHash = (text: string): string => hash('sha256', text, 'hex')

export function sealCheckpoint(content: Content, seal: AuditSeal): AuditCheckpoint {
  const text = checkpointText(content)
  return { ...content, hash: checkpointHash(text), signature: seal.sign(text) }
}

/** The values of `CHECKPOINT_COLUMNS`. */
export function toCheckpointColumns(checkpoint: AuditCheckpoint): (number | string)[] {
  const { no, firstSeq, lastSeq, day, at, root, previous, hash: own, signature, instance } = checkpoint
  return [no, firstSeq, lastSeq, day, at, root, previous, own, signature, instance]
}

/** A row of `CHECKPOINT_COLUMNS`. */
export function toCheckpoint(row: Readonly<Record<string, unknown>>): AuditCheckpoint {
  return {
    no: Number(row['no']),
    firstSeq: Number(row['first_seq']),
    lastSeq: Number(row['last_seq']),
    day: Number(row['day']),
    at: Number(row['at']),
    root: String(row['root']),
    previous: String(row['previous']),
    hash: String(row['hash']),
    signature: String(row['signature']),
    instance: String(row['instance']),
  }
}
