import type { Mark } from './marks.ts'
import type { AuditSeal } from './seal.ts'

/**
 * With many instances the audit log has one chain per instance and UTC day. No instance waits for another to
 * append, and a chain never spans midnight, so that dropping a day drops whole chains.
 */
export type ChainId = { readonly instance: string; readonly day: number }

/** The instance name of chains copied from SQLite, one per day. */
export const EMBEDDED = 'embedded'

const END = /^end (?<day>-?\d+) (?<instance>.+)$/

/** The name of a chain's end mark, which holds its number of batches and its last hash. */
export const endMarkName = ({ instance, day }: ChainId): string => `end ${day} ${instance}`

/** The name of the mark that says how far a chain is indexed by agent, from the name of its end mark. */
export const indexedMarkName = (endMark: string): string => endMark.replace('end', 'indexed')

export function toChainId(markName: string): ChainId | undefined {
  const { day, instance } = END.exec(markName)?.groups ?? {}
  return day === undefined || instance === undefined ? undefined : { day: Number(day), instance }
}

/**
 * The mark of all chains: their number, and the XOR of their MACs. It reveals a chain whose rows and own mark
 * are all missing. An XOR can be updated without knowing the other chains, so an earlier mismatch persists.
 */
export const CHAINS_MARK = 'chains'

export const withChain = (chains: Mark, chain: ChainId, seal: AuditSeal): Mark => ({
  no: chains.no + 1,
  hash: addSeal(chains.hash, chain, seal),
})

export const withoutChain = (chains: Mark, chain: ChainId, seal: AuditSeal): Mark => ({
  no: chains.no - 1,
  hash: addSeal(chains.hash, chain, seal),
})

/** XOR, so that adding the same chain again removes it. */
function addSeal(sum: string, chain: ChainId, seal: AuditSeal): string {
  const added = BigInt(`0x${sum}`) ^ BigInt(`0x${seal.mac(`chain ${endMarkName(chain)}`)}`)
  return added.toString(16).padStart(sum.length, '0')
}
