/**
 * Marks, each with a MAC, record where a chain of the audit log ends, where it begins after old batches were
 * dropped, and how far it is signed: without them a batch cut off at either end would go unnoticed.
 */
export type Mark = { readonly no: number; readonly hash: string }

/** Number and hash of the newest checkpoint, and of the newest one dropped with its batches. */
export const NEWEST_CHECKPOINT = 'checkpoint'
export const DROPPED_CHECKPOINT = 'dropped checkpoint'

/** Records that the log was anchored outside the database, and since when. */
export const ANCHORED = 'anchored'

export const forgedMark = (name: string): Error =>
  new Error(`the mark "${name}" of the audit log was changed in the database: run \`audit verify\``)

const CHAIN_START = '0'.repeat(64)
export const EMPTY_MARK: Mark = { no: 0, hash: CHAIN_START }

/** The text that a mark's MAC covers. */
export const markText = (name: string, { no, hash }: Mark): string => `${name}\n${no}\n${hash}`

export const isSameMark = (one: Mark, other: Mark): boolean => one.no === other.no && one.hash === other.hash
