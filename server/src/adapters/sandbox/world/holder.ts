import { hash } from 'node:crypto'
import { DAY_MS } from '../../../durations.ts'

/** The holder of a staked token or of the record of a transaction. */
export type Holder = {
  /** The agent that borrowed the coins of the token. */
  readonly agentId: string
  /** Equal for all agents of one owner, who share their staked tokens. */
  readonly ownerId: string
  /** Undefined in a simulation. */
  readonly networkId: string | undefined
  /** The UTC day of the last use, as a number of days. */
  readonly day: number
}

type Caller = { readonly agentId: string; readonly owner: string; readonly networkId: string | undefined }

/** Digests, because owners and networks may be long, and the stored state is written with every change. */
export const holderOf = ({ agentId, owner, networkId }: Caller, now: number): Holder => ({
  agentId,
  ownerId: short(owner),
  networkId: networkId && short(networkId),
  day: Math.floor(now / DAY_MS),
})

const short = (text: string): string => hash('sha256', text, 'base64url').slice(0, 22)
