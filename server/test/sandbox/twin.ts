import assert from 'node:assert/strict'
import { catchUp } from '#adapters/sandbox/chain-time.ts'
import { chainOf, openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import { SET_LIMITS } from '#adapters/sandbox/staking/active-set.ts'
import { newPool } from '#adapters/sandbox/staking/pool.ts'
import { Abort } from '#adapters/sandbox/transactions/abort.ts'
import { emptyWorld } from '#adapters/sandbox/world/empty-world.ts'
import { toText } from '#adapters/sandbox/world/state-text.ts'
import type { StoredWorld } from '#adapters/sandbox/world/stored-world.ts'
import { forkWorld, idFrom, type World } from '#adapters/sandbox/world/world.ts'
import type { ExecutionResult } from '#ports/chain/sandbox.ts'
import type { Command } from '#ports/chain/staking-chain.ts'
import type { MoveAbort } from './oracle/machine.ts'
import { newContract } from './oracle/validator-set.ts'
import { attempt, type OracleState } from './oracle-state.ts'
import { EPOCH_MS, memoryStates, STARTED_AT, soon, testClock } from './test-chain.ts'

/** The sandbox and the oracle in the same initial state: candidates only, no committee, nothing staked. */
export type Twin = Awaited<ReturnType<typeof openTwin>>

export const idOf = (index: number): string => idFrom('validator', index)

export async function openTwin(count: number) {
  const ids = Array.from({ length: count }, (_, index) => idOf(index))
  const commissions = new Map(ids.map((id, index) => [id, (index * 350) % 2_100]))
  const clock = testClock()
  const kept = keepInMemory(worldOf(commissions), (world) => catchUp(world, EPOCH_MS, clock.now()))
  const chain = chainOf(kept, { epochMs: EPOCH_MS, clock })
  const limits = {
    least: SET_LIMITS.minMembers,
    most: SET_LIMITS.maxMembers,
    changes: SET_LIMITS.maxChanges,
    joiningStake: SET_LIMITS.joiningStake,
  }
  const oracleState: OracleState = { contract: newContract(limits, commissions), tokens: new Map() }

  /** Acts on the sandbox and on the oracle, and asserts the same outcome; an abort must leave the world unchanged. */
  const onBoth = async <T>(act: () => Promise<T>, toOutcome: (got: T) => Outcome, call: () => bigint) => {
    const before = kept.present()
    const got = await act()
    const outcome = toOutcome(got)
    assert.deepEqual(outcome, expectedOf(attempt(oracleState, call)))
    if (outcome.kind === 'aborted') assert(kept.present() === before)
    return got
  }
  return {
    ids,
    chain,
    clock,
    oracleState,
    /** Shared by all reads of a game, because every abort signal with a timeout has a timer. */
    deadline: soon(),
    built: await chain.readSnapshot(soon()),
    /** Runs the commands in the sandbox and `call` in the oracle. */
    execute: (sender: string, commands: readonly Command[], call: () => bigint) =>
      onBoth(() => chain.execute(sender, commands), outcomeOf, call),
    /** Operators' actions have no command in the sandbox, so `act` changes the world directly. */
    operate: (act: (world: World) => void, call: () => void) =>
      onBoth(
        () => kept.change((world) => acted(world, act)),
        (outcome) => outcome,
        () => {
          call()
          return 0n
        },
      ),
    /** Opens the chain from its stored text, as another process would. */
    reopen: async () => {
      const states = memoryStates(toText(kept.present()))
      return openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock, states })
    },
  }
}

/** A store without serialization, which would take most of a game's time; `reopen` serializes the world once. */
function keepInMemory(founded: World, toPresent: (world: World) => World) {
  let kept = founded
  const present = () => {
    kept = toPresent(kept)
    return kept
  }
  const keeps: StoredWorld = {
    read: async (look) => look(present()),
    change: async (act) => {
      const { world, result } = act(present())
      if (world !== undefined) kept = world
      return result
    },
  }
  return { ...keeps, present }
}

type Outcome =
  | { readonly kind: 'done'; readonly paid: bigint }
  | { readonly kind: 'aborted'; readonly by: string }

/** An arithmetic error (4017) is a status of the Move VM and has no module of the contract. */
const abortOf = (module: string, code: number): Outcome => ({
  kind: 'aborted',
  by: code === 4017 ? 'arithmetic' : `${module} ${code}`,
})

function outcomeOf(result: ExecutionResult): Outcome {
  if (result.kind === 'aborted') return abortOf(result.module, result.code)
  return { kind: 'done', paid: result.coinsPaidOut }
}

const expectedOf = (paid: bigint | MoveAbort): Outcome =>
  typeof paid === 'bigint' ? { kind: 'done', paid } : abortOf(paid.module, paid.code)

function acted(world: World, act: (world: World) => void): { world: World | undefined; result: Outcome } {
  const draft = forkWorld(world)
  try {
    act(draft)
    return { world: draft, result: { kind: 'done', paid: 0n } }
  } catch (error) {
    if (!(error instanceof Abort)) throw error
    return { world: undefined, result: abortOf(error.refusal.module, error.refusal.code) }
  }
}

function worldOf(commissions: ReadonlyMap<string, number>): World {
  const validators = [...commissions].map(
    ([id, rate]) =>
      [id, { id, name: id, missesPerMille: 0, restless: false, pool: newPool(id, rate) }] as const,
  )
  return { ...emptyWorld(1, STARTED_AT), validators: new Map(validators) }
}
