import { hash } from 'node:crypto'
import type { AuditCheckpoint } from '#ports/stores/audit-upkeep.ts'
import type { AuditSeal } from './seal.ts'

/** Most batches per checkpoint, so that finding its range is quick. */
export const MAX_BATCHES_SIGNED = 5_000

export const CHECKPOINT_COLUMNS =
  'no, first_seq, last_seq, day, at, root, previous, hash, signature, instance, action_no, action_hash'

type Content = Omit<AuditCheckpoint, 'hash' | 'signature'>

/** The text that is signed, and hashed for the next checkpoint. */
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
    content.action?.no ?? null,
    content.action?.hash ?? null,
  ])

export const checkpointHash = (text: string): string => hash('sha256', text, 'hex')

export function sealCheckpoint(content: Content, seal: AuditSeal): AuditCheckpoint {
  const text = checkpointText(content)
  return { ...content, hash: checkpointHash(text), signature: seal.sign(text) }
}

/** The values of `CHECKPOINT_COLUMNS`. */
export const toCheckpointColumns = (checkpoint: AuditCheckpoint): (number | string | null)[] => [
  checkpoint.no,
  checkpoint.firstSeq,
  checkpoint.lastSeq,
  checkpoint.day,
  checkpoint.at,
  checkpoint.root,
  checkpoint.previous,
  checkpoint.hash,
  checkpoint.signature,
  checkpoint.instance,
  checkpoint.action?.no ?? null,
  checkpoint.action?.hash ?? null,
]

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
    action: toAction(row['action_no'], row['action_hash']),
  }
}

/** The action of a row or a log line, if it has one. */
export const toAction = (no: unknown, hash: unknown): AuditCheckpoint['action'] =>
  no === null || no === undefined ? undefined : { no: Number(no), hash: String(hash) }
