import { openSandboxChain } from '#adapters/sandbox/sandbox-chain.ts'
import type { Sandbox, SandboxStates } from '#ports/chain/sandbox.ts'
import type {
  ChainSnapshot,
  StakedToken,
  StakingAction,
  StakingChain,
  Validator,
} from '#ports/chain/staking-chain.ts'

/** Fixture of the sandbox's tests: a store in memory, a manual clock, and shortcuts for actions. */

type MemoryStates = SandboxStates & { text(): string }

/** With `initial`, starts as if another run had stored that state. */
export function memoryStates(initial?: string): MemoryStates {
  let stored = initial === undefined ? undefined : { version: 1, state: initial }
  return {
    text: () => stored?.state ?? '',
    version: async () => stored?.version,
    load: async () => stored,
    replace: async (version, state) => {
      if ((stored?.version ?? 0) !== version) return false
      stored = { version: version + 1, state }
      return true
    },
  }
}

export const TOKEN = 1_000_000_000n
export const EPOCH_MS = 600_000
export const STARTED_AT = 1_800_000_000_000
export const ME = `0x${'a'.repeat(64)}`

type TestClock = { time: number; now(): number }

export const testClock = (): TestClock => {
  const clock = { time: STARTED_AT, now: () => clock.time }
  return clock
}

export const soon = (): AbortSignal => AbortSignal.timeout(60_000)

/** Cache: founding a world takes a while, so tests without a store of their own share one founded state. */
let foundedText: Promise<string> | undefined
async function foundOnce(): Promise<string> {
  const states = memoryStates()
  await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock: testClock(), states })
  return states.text()
}

export async function openTestChain(states?: MemoryStates) {
  foundedText ??= foundOnce()
  const clock = testClock()
  const store = states ?? memoryStates(await foundedText)
  const chain = await openSandboxChain({ seed: 1, epochMs: EPOCH_MS, clock, states: store })
  return { chain, clock, states: store, ...shortcuts(chain, clock) }
}

function shortcuts(chain: StakingChain & Sandbox, clock: TestClock) {
  const snapshot = () => chain.readSnapshot(soon())
  return {
    snapshot,
    /** Runs the commands that the chain itself builds for the action. */
    act: async (action: StakingAction, sender = ME) =>
      chain.execute(sender, chain.commandsFor(await snapshot(), action)),
    passMiddle: () => {
      clock.time += EPOCH_MS * 0.6
    },
    token: async (id: string): Promise<StakedToken> => {
      const token = await chain.stakedToken(id, soon())
      if (token === undefined) throw new Error(`no token ${id}`)
      return token
    },
    /** Stakes as `ME` and returns the new token's id. */
    stake: async (validatorId: string, amount = 5n * TOKEN): Promise<string> => {
      const built = chain.commandsFor(await snapshot(), { kind: 'stake', validatorId, amount })
      const result = await chain.execute(ME, built)
      const id = result.kind === 'done' ? result.created[0]?.id : undefined
      if (id === undefined) throw new Error(`stake failed: ${JSON.stringify(result)}`)
      return id
    },
    /** Any active staked token with the validator, whoever owns it. */
    tokenWith: async (validatorId: string): Promise<StakedToken> => {
      const { epoch } = await snapshot()
      const { delegators } = await chain.delegatorsOf(validatorId, { after: undefined, limit: 1_000 }, soon())
      for (const { owner } of delegators) {
        const owned = await chain.stakedTokensOf(owner, soon())
        const found = owned.find(
          (token) =>
            token.validatorId === validatorId &&
            token.withdrawEpoch === undefined &&
            token.activationEpoch <= epoch.number,
        )
        if (found !== undefined) return found
      }
      throw new Error(`nobody stakes with ${validatorId}`)
    },
  }
}

export function withStatus(snapshot: ChainSnapshot, status: Validator['status']): Validator {
  const found = snapshot.validators.find((validator) => validator.status === status)
  if (found === undefined) throw new Error(`no ${status} validator`)
  return found
}
