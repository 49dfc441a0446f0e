import { MoveAbort } from './oracle/machine.ts'
import type { Pool } from './oracle/pool.ts'
import type { Contract } from './oracle/validator-set.ts'
import type { StakedToken } from './oracle/values.ts'

/** The whole state of the oracle, in one object so that an aborted call can be undone. */
export type OracleState = { contract: Contract; tokens: Map<string, StakedToken> }

/** Runs the call. On an abort, restores the state and returns the abort. */
export function attempt<T>(state: OracleState, call: () => T): T | MoveAbort {
  const before = copyOf(state)
  try {
    return call()
  } catch (error) {
    Object.assign(state, before)
    if (error instanceof MoveAbort) return error
    throw error
  }
}

function copyOf({ contract, tokens }: OracleState): OracleState {
  const { pools, set, committee, nextCommittee } = contract
  return {
    contract: {
      ...contract,
      pools: new Map([...pools].map(([id, pool]) => [id, copyOfPool(pool)])),
      committee: [...committee],
      nextCommittee: nextCommittee && [...nextCommittee],
      set: { ...set, entries: [...set.entries], changed: new Set(set.changed) },
    },
    tokens: new Map([...tokens].map(([id, token]) => [id, { ...token }])),
  }
}

/** Shares the rates, of which there are hundreds: only the end of an epoch records one, and that is never undone. */
const copyOfPool = (pool: Pool): Pool => ({
  ...pool,
  sharesWithdrawn: new Map(pool.sharesWithdrawn),
  preActiveWithdrawals: new Map(pool.preActiveWithdrawals),
  commissions: new Map(pool.commissions),
  pendingStake: new Map(pool.pendingStake),
})
