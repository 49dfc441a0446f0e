import type { Mark } from './marks.ts'
import type { AuditSeal } from './seal.ts'

/**
 * The audit log of many instances is one chain for each instance and UTC day. Each instance seals its own batches, so
 * that none has to wait for another; and a chain never reaches over midnight, so that a day that is dropped takes
 * whole chains along.
 */
export type ChainId = { readonly instance: string; readonly day: number }

/** The days of a log that was copied from the embedded store are chains of this name, beside those of the instances. */
export const EMBEDDED = 'embedded'

const END = /^end (?<day>-?\d+) (?<instance>.+)$/

/** The mark of where a chain ends: how many batches it has, and the hash of the last one. */
export const endMarkName = ({ instance, day }: ChainId): string => `end ${day} ${instance}`

export function toChainId(markName: string): ChainId | undefined {
  const { day, instance } = END.exec(markName)?.groups ?? {}
  return day === undefined || instance === undefined ? undefined : { day: Number(day), instance }
}

/**
 * The mark of which chains there are: how many, and the sum of their seals. One that is lost with all its rows and its
 * own mark is still missed here. A sum, because it can be added to and taken from without knowing the rest: what was
 * wrong before stays wrong.
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

/** Without carrying, so that adding the same once more takes it away. */
function addSeal(sum: string, chain: ChainId, seal: AuditSeal): string {
  const added = BigInt(`0x${sum}`) ^ BigInt(`0x${seal.mac(`chain ${endMarkName(chain)}`)}`)
  return added.toString(16).padStart(sum.length, '0')
}
