import { advanceEpochs, catchUp } from '#adapters/sandbox/chain-time.ts'
import { commandsFor } from '#adapters/sandbox/transactions/commands.ts'
import { executeCommands } from '#adapters/sandbox/transactions/execute.ts'
import { viewDelegators, viewRecords, viewSnapshot, viewToken } from '#adapters/sandbox/views.ts'
import type { World } from '#adapters/sandbox/world/world.ts'
import { forkWorld } from '#adapters/sandbox/world/world.ts'
import type { Sandbox } from '#ports/chain/sandbox.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'

export const EPOCH_MS = 86_400_000

/** The sandbox chain in memory, without a store, so that thousands of worlds can be forked from one. */
export type MemoryChain = StakingChain &
  Sandbox & {
    world(): World
    now(): number
    /** Moves the clock past the middle of the epoch, where the next committee is selected. */
    passMiddle(): void
    fork(): MemoryChain
  }

export function memoryChain(start: World, epochMs = EPOCH_MS): MemoryChain {
  let world = start
  let now = start.epochStartedAt
  const tokenOf = (id: string) => {
    const token = world.tokens.get(id)
    return token && viewToken(world, token)
  }
  return {
    network: 'sandbox',
    world: () => world,
    now: () => now,
    fork: () => memoryChain(world, epochMs),
    commandsFor,
    readSnapshot: async () => viewSnapshot(world, { epochMs, chainTime: now, now }),
    readEpochs: async (fromEpoch) => viewRecords(world, fromEpoch),
    stakedToken: async (id) => tokenOf(id),
    stakedTokens: async (ids) => ids.flatMap((id) => tokenOf(id) ?? []),
    stakedTokensOf: async (owner) =>
      [...world.tokens.values()].filter((token) => token.owner === owner).map((one) => viewToken(world, one)),
    delegatorsOf: async (validatorId, page) => viewDelegators(world, validatorId, page),
    execute: async (sender, commands) => {
      const { world: next, result } = executeCommands(world, sender, commands)
      if (next) world = next
      return result
    },
    advance: async (epochs) => {
      const draft = forkWorld(world)
      for (let done = 0; done < epochs; done++) {
        advanceEpochs(draft, epochMs, 1, draft.epochStartedAt + epochMs)
      }
      world = draft
      now = draft.epochStartedAt
      return draft.epoch
    },
    passMiddle: () => {
      now = world.epochStartedAt + epochMs * 0.6
      world = catchUp(world, epochMs, now)
    },
  }
}
