/**
 * Marks are sealed with a MAC. They tell where each chain of the audit log ends, where it begins after old batches were
 * dropped, and how far it is signed: without them a batch cut off at either end would be missed by nobody.
 */
export type Mark = { readonly no: number; readonly hash: string }

/** The number and hash of the newest checkpoint, and of the newest one that was dropped with the batches it signed. */
export const NEWEST_CHECKPOINT = 'checkpoint'
export const DROPPED_CHECKPOINT = 'dropped checkpoint'

/** That the log was anchored outside of the database, and when that was first noted. */
export const ANCHORED = 'anchored'

export const CHAIN_START = '0'.repeat(64)
export const NOTHING_YET: Mark = { no: 0, hash: CHAIN_START }

/** What the MAC of a mark seals. */
export const markText = (name: string, { no, hash }: Mark): string => `${name}\n${no}\n${hash}`

export const isSameMark = (one: Mark, other: Mark): boolean => one.no === other.no && one.hash === other.hash
