import type { Sandbox, SandboxStates } from '#ports/chain/sandbox.ts'
import type { Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import type { StakingChain } from '#ports/chain/staking-chain.ts'
import type { Clock } from '#ports/clock.ts'
import { Fault } from '../../fault.ts'
import { advanceEpochs, catchUp } from './chain-time.ts'
import { REMEMBERED_EPOCHS } from './staking/epoch-change.ts'
import { COIN_TYPE, commandsFor } from './transactions/commands.ts'
import { type Executor, executeCommands } from './transactions/execute.ts'
import { executeOnce } from './transactions/execute-once.ts'
import { viewDelegators, viewRecords, viewSnapshot, viewToken } from './views.ts'
import { type Allowance, chargeEpochs } from './world/accounts.ts'
import { foundWorld } from './world/genesis.ts'
import { holderOf } from './world/holder.ts'
import type { StoredWorld } from './world/stored-world.ts'
import { openStoredWorld } from './world/stored-world.ts'
import type { World } from './world/world.ts'
import { forkWorld } from './world/world.ts'

type Needs = {
  readonly seed: number
  readonly epochMs: number
  readonly clock: Clock
  readonly states: SandboxStates
  /** Limits per key. Undefined: no limits. */
  readonly allowance?: Allowance | undefined
  /** The owner of an agent's stake: equal for all agents that share their stake. Default: each agent has its own. */
  readonly stakeOwnerOf?: ((agentId: string) => Promise<string>) | undefined
}

/** The simulated chain: a whole proof-of-stake network in this process, by the rules of the real contract. */
export async function openSandboxChain(needs: Needs): Promise<StakingChain & Sandbox> {
  const { seed, epochMs, clock, states } = needs
  const stored = openStoredWorld({
    states,
    found: () => foundWorld(seed, epochMs, clock.now()),
    accept: (world) => refuseOtherSeed(world, seed),
    catchUp: (world) => catchUp(world, epochMs, clock.now()),
    now: () => clock.now(),
  })
  await stored.read(() => undefined)
  return chainOf(stored, needs)
}

/** The chain's interface on top of a stored world. */
export function chainOf(
  stored: StoredWorld,
  needs: Pick<Needs, 'epochMs' | 'clock' | 'allowance' | 'stakeOwnerOf'>,
): StakingChain & Sandbox {
  const { epochMs, clock, allowance, stakeOwnerOf = async (agentId) => agentId } = needs
  const toExecutor = async (agentId?: string, networkId?: string): Promise<Executor | undefined> => {
    if (agentId === undefined || !allowance) return undefined
    const owner = await stakeOwnerOf(agentId)
    return { holder: holderOf({ agentId, owner, networkId }, clock.now()), allowance }
  }
  return {
    network: 'sandbox',
    ...readsOf(stored, needs),
    commandsFor,
    simulate: async ({ agentId, ...transaction }, deadline) =>
      simulateCommands(stored, transaction, await toExecutor(agentId), deadline),
    execute: async (sender, commands, { by, nonce, lastEpoch } = {}) => {
      const executor = await toExecutor(by?.agentId, by?.networkId)
      const transaction = { sender, commands, nonce, lastEpoch, holder: executor?.holder }
      return stored.change((world) =>
        executeOnce(world, transaction, () => {
          refuseExpired(lastEpoch, world)
          return executeCommands(world, sender, commands, executor)
        }),
      )
    },
    advance: async (epochs, by) => {
      refuseOddAdvance(epochs)
      return stored.change((world) => {
        const draft = forkWorld(world)
        if (allowance && by) chargeEpochs(draft, { ...by, id: by.agentId, allowance }, epochs, clock.now())
        advanceEpochs(draft, epochMs, epochs, clock.now())
        return { world: draft, result: draft.epoch }
      })
    },
  }
}

function refuseExpired(lastEpoch: number | undefined, { epoch }: World): void {
  if (lastEpoch === undefined || epoch <= lastEpoch) return
  const message = `expired at the end of epoch ${lastEpoch}, and the chain is in epoch ${epoch}`
  throw new Fault('invalid_input', `\`intent\` ${message}: build the transaction again.`, {
    details: [{ field: 'intent', message }],
    fix: 'Build the transaction again, and execute that.',
  })
}

type Transaction = Pick<SimulationRequest, 'sender' | 'commands'>

/** Runs the commands on a copy of the world and discards it. Gas is free. */
async function simulateCommands(
  stored: StoredWorld,
  { sender, commands }: Transaction,
  executor: Executor | undefined,
  deadline: AbortSignal,
): Promise<Simulation> {
  refuseLate(deadline)
  const run = await stored.read((world) => runOrRefuse(world, { sender, commands }, executor))
  if (run.kind === 'failed') return run
  const { result } = run
  if (result.kind === 'aborted') return { ...result, gas: 0n }
  const lent = commands.reduce(
    (sum, command) => sum + (command.kind === 'coin' ? BigInt(command.amount) : 0n),
    0n,
  )
  const { created, changed, consumed, coinsPaidOut } = result
  const made = new Set(created.map(({ id }) => id))
  return {
    kind: 'success',
    gas: 0n,
    effects: {
      balances: [{ coinType: COIN_TYPE, change: coinsPaidOut - lent }],
      stakedTokens: {
        created: created.length,
        changed: changed.filter(({ id }) => !made.has(id)).length,
        removed: consumed.length,
      },
    },
  }
}

/** A transaction that execution would refuse as `forbidden` fails in the simulation, with the same message. */
function runOrRefuse(world: World, { sender, commands }: Transaction, executor: Executor | undefined) {
  try {
    return { kind: 'run', ...executeCommands(world, sender, commands, executor) } as const
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'forbidden') throw error
    return { kind: 'failed', gas: undefined, reason: error.message } as const
  }
}

type Reads = Pick<
  StakingChain,
  'readSnapshot' | 'readEpochs' | 'stakedToken' | 'stakedTokens' | 'stakedTokensOf' | 'delegatorsOf'
>

function readsOf(stored: StoredWorld, { epochMs, clock }: Pick<Needs, 'epochMs' | 'clock'>): Reads {
  // Checkpoints grow with time, so it must not go back: here within one run, over restarts by the stored `changedAt`.
  let chainTime = 0
  const read = async <T>(deadline: AbortSignal, look: (world: World) => T): Promise<T> => {
    refuseLate(deadline)
    const seen = await stored.read(look)
    refuseLate(deadline)
    return seen
  }
  return {
    readSnapshot: (deadline) =>
      read(deadline, (world) => {
        const now = clock.now()
        chainTime = Math.max(chainTime, now, world.changedAt)
        return viewSnapshot(world, { epochMs, chainTime, now })
      }),
    readEpochs: (fromEpoch, deadline) => read(deadline, (world) => viewRecords(world, fromEpoch)),
    stakedToken: (id, deadline) =>
      read(deadline, (world) => {
        const token = world.tokens.get(id.toLowerCase())
        return token === undefined ? undefined : viewToken(world, token)
      }),
    stakedTokens: (ids, deadline) =>
      read(deadline, (world) =>
        ids.flatMap((id) => {
          const token = world.tokens.get(id.toLowerCase())
          return token === undefined ? [] : [viewToken(world, token)]
        }),
      ),
    stakedTokensOf: (owner, deadline) =>
      read(deadline, (world) => {
        const owned = [...world.tokens.values()].filter((token) => token.owner === owner.toLowerCase())
        return owned.map((token) => viewToken(world, token))
      }),
    delegatorsOf: (validatorId, page, deadline) =>
      read(deadline, (world) => viewDelegators(world, validatorId, page)),
  }
}

function refuseLate(deadline: AbortSignal): void {
  if (!deadline.aborted) return
  throw new Fault('timeout', 'The sandbox chain did not answer in time: try again.', {
    cause: deadline.reason,
  })
}

function refuseOtherSeed(world: World, seed: number): void {
  if (world.seed === seed) return
  const message = `The stored sandbox chain grew from seed ${world.seed}, not ${seed}: go back to that seed, or start with an empty store.`
  throw new Fault('store_not_ready', message)
}

/** Bounded, because readers of the history would miss epochs if one call advanced by more than are remembered. */
function refuseOddAdvance(epochs: number): void {
  if (Number.isInteger(epochs) && epochs >= 1 && epochs <= REMEMBERED_EPOCHS) return
  const fix = `Advance by a whole number of epochs from 1 to ${REMEMBERED_EPOCHS}.`
  throw new Fault('invalid_input', fix, { fix })
}
