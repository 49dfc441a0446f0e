import { hash } from 'node:crypto'
import type { World } from './world.ts'

/** A chain at genesis, without validators or stake. */
export function emptyWorld(seed: number, genesisAt: number): World {
  return {
    seed,
    chainId: hash('sha256', `sandbox:${seed}`).slice(0, 8),
    genesisAt,
    epoch: 0,
    epochStartedAt: genesisAt,
    committee: [],
    nextCommittee: undefined,
    activeSet: { members: [], changes: [] },
    validators: new Map(),
    tokens: new Map(),
    pot: 0n,
    rewardsPerYear: 0n,
    ledger: { minted: 0n, rewards: 0n, paidOut: 0n },
    accounts: new Map(),
    executed: new Map(),
    history: [],
    objects: 0,
    changes: 0,
    changedAt: genesisAt,
  }
}
