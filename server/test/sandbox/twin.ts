import assert from 'node:assert/strict'
import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import { SET_LIMITS } from '#adapters/sandbox/staking/active-set.ts'
import { newPool } from '#adapters/sandbox/staking/pool.ts'
import { EPOCH_MS, memoryStates, STARTED_AT, soon, testClock } from '#adapters/sandbox/test-chain.ts'
import { Abort } from '#adapters/sandbox/transactions/abort.ts'
import { emptyWorld } from '#adapters/sandbox/world/empty-world.ts'
import { toText, toWorld } from '#adapters/sandbox/world/state-text.ts'
import { forkWorld, idFrom, type World } from '#adapters/sandbox/world/world.ts'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
import { MoveAbort } from './oracle/machine.ts'
import type { Contract } from './oracle/validator-set.ts'
import { newContract } from './oracle/validator-set.ts'
import type { StakedToken } from './oracle/values.ts'

/** The sandbox and the oracle, both at the very beginning: candidates only, no committee, nothing staked. */
export type Twin = Awaited<ReturnType<typeof openTwin>>

/** What the oracle knows, all of it: so that a call that aborts can be undone. */
export type Known = { contract: Contract; tokens: Map<string, StakedToken> }

export const idOf = (index: number): string => idFrom('validator', index)

export async function openTwin(count: number) {
  const ids = Array.from({ length: count }, (_, index) => idOf(index))
  const commissions = new Map(ids.map((id, index) => [id, (index * 350) % 2_100]))
  const states = memoryStates(toText(worldOf(commissions)))
  const clock = testClock()
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock, states })
  const limits = {
    least: SET_LIMITS.minMembers,
    most: SET_LIMITS.maxMembers,
    changes: SET_LIMITS.maxChanges,
    joiningStake: SET_LIMITS.joiningStake,
  }
  const known: Known = { contract: newContract(limits, commissions), tokens: new Map() }
  return {
    ids,
    chain,
    clock,
    known,
    built: await chain.readSnapshot(soon()),
    /** Runs the commands in the sandbox and `call` in the oracle: the same effect, or the same abort. */
    execute: async (sender: string, commands: readonly Command[], call: () => bigint) => {
      const result = await chain.execute(sender, commands)
      const expected = attempt(known, call)
      assert.deepEqual(outcomeOf(result), expected)
      return result
    },
    /** What operators do has no command in the sandbox: it is done to the stored world, as another instance would. */
    operate: async (act: (world: World) => void, call: () => void) => {
      const stored = await states.load()
      assert(stored)
      const world = forkWorld(toWorld(stored.state))
      const got = withAborts(() => act(world))
      const expected = attempt(known, () => {
        call()
        return 0n
      })
      assert.deepEqual(got, expected)
      if (got.kind === 'done') assert(await states.replace(stored.version, toText(world)))
      return got
    },
  }
}

type Outcome =
  | { readonly kind: 'done'; readonly paid: bigint }
  | { readonly kind: 'aborted'; readonly by: string }

/** The machine's own status has no module of the contract's. */
const abortOf = (module: string, code: number): Outcome => ({
  kind: 'aborted',
  by: code === 4017 ? 'arithmetic' : `${module} ${code}`,
})

function outcomeOf(result: ExecutionResult): Outcome {
  if (result.kind === 'aborted') return abortOf(result.module, result.code)
  return { kind: 'done', paid: result.coinsPaidOut }
}

function withAborts(act: () => void): Outcome {
  try {
    act()
    return { kind: 'done', paid: 0n }
  } catch (error) {
    if (error instanceof Abort) return abortOf(error.refusal.module, error.refusal.code)
    throw error
  }
}

function attempt(known: Known, call: () => bigint): Outcome {
  const before = structuredClone(known)
  try {
    return { kind: 'done', paid: call() }
  } catch (error) {
    Object.assign(known, before)
    if (error instanceof MoveAbort) return abortOf(error.module, error.code)
    throw error
  }
}

function worldOf(commissions: ReadonlyMap<string, number>): World {
  const validators = [...commissions].map(
    ([id, rate]) =>
      [id, { id, name: id, missesPerMille: 0, restless: false, pool: newPool(id, rate) }] as const,
  )
  return { ...emptyWorld(1, STARTED_AT), validators: new Map(validators) }
}
