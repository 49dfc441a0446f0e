import assert from 'node:assert/strict'
import { foundWorld } from '#adapters/sandbox/world/genesis.ts'
import type { World } from '#adapters/sandbox/world/world.ts'
import { seededRandom, TOKEN } from '../support/sample-network.ts'
import { EPOCH_MS, type MemoryChain, memoryChain } from './memory-chain.ts'

const GENESIS = Date.UTC(2026, 0, 1)
/** The holders' stakes are spread over this many epochs. */
const PAST_EPOCHS = 300
/** Length of the history that scores and projections are computed from. */
const QUIET_EPOCHS = 35

/** Whether validators miss their duty: never, or as often as the sandbox has it. */
export type Luck = 'none' | 'as it comes'

/**
 * A chain with `count` addresses that hold one to six staked tokens each, up to `PAST_EPOCHS` old. Some tokens are
 * withdrawing, withdrawable or not active yet.
 */
export async function chainWithHolders(count: number, seed: number, luck: Luck) {
  const random = seededRandom(seed)
  const chain = memoryChain(worldWithLuck(seed, luck))
  const owners = Array.from(
    { length: count },
    (_, index) => `0x${(index + 1).toString(16).padStart(64, 'a')}`,
  )
  const arrivals = owners.flatMap((owner) =>
    Array.from({ length: 1 + Math.floor(6 * random()) }, () => ({
      owner,
      epoch: Math.floor((PAST_EPOCHS + 1) * Math.sqrt(random())),
      late: random() < 0.3,
      tokens: BigInt(Math.floor(10 ** (9 + 2 + 4.3 * random()))),
      pick: random(),
    })),
  )
  const byEpoch = Map.groupBy(arrivals, ({ epoch }) => epoch)
  for (let epoch = 0; epoch <= PAST_EPOCHS; epoch++) {
    const arriving = byEpoch.get(epoch) ?? []
    for (const one of arriving.filter(({ late }) => !late)) await stakeSomewhere(chain, one)
    if (epoch >= PAST_EPOCHS - 2) await unstakeSome(chain, owners, random)
    if (arriving.some(({ late }) => late)) chain.passMiddle()
    for (const one of arriving.filter(({ late }) => late)) await stakeSomewhere(chain, one)
    if (epoch < PAST_EPOCHS) await chain.advance(1)
  }
  return { chain, owners }
}

function worldWithLuck(seed: number, luck: Luck): World {
  const world = foundWorld(seed, EPOCH_MS, GENESIS)
  if (luck === 'as it comes') return world
  for (const [id, validator] of world.validators) {
    world.validators.set(id, { ...validator, missesPerMille: 0, restless: false })
  }
  assert(PAST_EPOCHS > QUIET_EPOCHS, 'the history of the plans has no failures of the founding world')
  return world
}

type Arrival = { readonly owner: string; readonly tokens: bigint; readonly pick: number }

async function stakeSomewhere(chain: MemoryChain, { owner, tokens, pick }: Arrival): Promise<void> {
  const snapshot = await chain.readSnapshot(soon())
  const open = snapshot.validators
    .filter(({ status }) => status === 'active' || status === 'pending')
    .toSorted((a, b) => Number(a.nextStake - b.nextStake))
  // Small pools pay most: half of all stakes go to the smallest quarter, so that not every plan moves everything.
  const validator = open[Math.floor(pick ** 2 * open.length)]
  assert(validator)
  const amount = tokens > TOKEN ? tokens : TOKEN
  const action = { kind: 'stake', validatorId: validator.id, amount } as const
  const result = await chain.execute(owner, chain.commandsFor(snapshot, action))
  assert.equal(result.kind, 'done')
}

/** Asks for the withdrawal of some tokens; called in the last epochs, it leaves some withdrawing, some withdrawable. */
async function unstakeSome(
  chain: MemoryChain,
  owners: readonly string[],
  random: () => number,
): Promise<void> {
  const snapshot = await chain.readSnapshot(soon())
  for (const owner of owners) {
    if (random() > 0.12) continue
    const tokens = await chain.stakedTokensOf(owner, soon())
    const active = tokens.find(
      ({ activationEpoch, withdrawEpoch }) =>
        activationEpoch <= snapshot.epoch.number && withdrawEpoch === undefined,
    )
    if (!active) continue
    const action = { kind: 'unstake', stakedTokenId: active.id, amount: undefined } as const
    await chain.execute(owner, chain.commandsFor(snapshot, action))
  }
}

export const soon = (): AbortSignal => AbortSignal.timeout(60_000)
