import assert from 'node:assert/strict'
import { selectNextCommittee } from '#adapters/sandbox/staking/epoch-change.ts'
import { announceCommission, joinSet, leaveSet } from '#adapters/sandbox/staking/validator-set.ts'
import { PACKAGE_ID } from '#adapters/sandbox/transactions/commands.ts'
import type { Command, StakingAction } from '#ports/chain/staking-chain.ts'
import { MoveAbort } from './oracle/machine.ts'
import { announceCommission as announce } from './oracle/pool.ts'
import * as oracle from './oracle/validator-set.ts'
import { join, type StakedToken, split } from './oracle/values.ts'
import { EPOCH_MS } from './test-chain.ts'
import type { Twin } from './twin.ts'

/** One step of a game, for both sides. `validator` and `token` are indices modulo the number of existing ones. */
export type Step =
  | { readonly kind: 'stake'; readonly validator: number; readonly amount: bigint }
  | { readonly kind: 'unstake'; readonly token: number; readonly part: Part | undefined }
  | { readonly kind: 'withdraw'; readonly token: number; readonly part: Part | undefined }
  | { readonly kind: 'split'; readonly token: number; readonly part: Part }
  | { readonly kind: 'join'; readonly token: number; readonly other: number }
  | { readonly kind: 'enter'; readonly validator: number }
  | { readonly kind: 'leave'; readonly validator: number }
  | { readonly kind: 'commission'; readonly validator: number; readonly bps: number }
  | { readonly kind: 'middle' }
  | {
      readonly kind: 'end'
      readonly reward: bigint
      readonly missed: readonly number[]
      readonly times: number
    }

/** An amount (`bigint`), or thousandths of the principal (`number`). */
type Part = bigint | number

export type Played = 'done' | 'skipped' | 'stopped' | `aborted ${string}`

const OWNER = `0x${'a'.repeat(64)}`
/** Upper bound of all stake: the sandbox's supply is limited, which the contract does not know. */
const MAX_STAKED = 15_500_000_000_000_000_000n
const YEAR_MS = 31_536_000_000n

export async function playStep(twin: Twin, step: Step): Promise<Played> {
  if (step.kind === 'middle') return passMiddle(twin)
  if (step.kind === 'end') return endEpochs(twin, step)
  if (step.kind === 'enter' || step.kind === 'leave' || step.kind === 'commission') return operate(twin, step)
  if (step.kind === 'stake') return stake(twin, step)
  const ids = [...twin.oracleState.tokens.keys()]
  const id = ids[step.token % ids.length]
  if (id === undefined) return 'skipped'
  if (step.kind === 'join') {
    const other = ids.filter((each) => each !== id)[step.other % (ids.length - 1)]
    return other === undefined ? 'skipped' : joinTokens(twin, id, other)
  }
  const { principal } = tokenOf(twin, id)
  const amount = typeof step.part === 'number' ? (principal * BigInt(step.part)) / 1_000n : step.part
  if (step.kind !== 'split') return leaveWith(twin, id, step.kind, amount)
  return splitToken(twin, id, amount ?? 0n)
}

const tokenOf = ({ oracleState }: Twin, id: string): StakedToken => {
  const token = oracleState.tokens.get(id)
  assert(token)
  return token
}

const build = ({ chain, built }: Twin, action: StakingAction) => chain.commandsFor(built, action)

async function run(twin: Twin, commands: readonly Command[], call: () => bigint) {
  const result = await twin.execute(OWNER, commands, call)
  return { result, played: result.kind === 'done' ? 'done' : (`aborted ${result.name}` as const) } as const
}

async function stake(twin: Twin, { validator, amount }: Extract<Step, { kind: 'stake' }>): Promise<Played> {
  const validatorId = twin.ids[validator % twin.ids.length] ?? ''
  const held = [...twin.oracleState.tokens.values()].reduce((sum, token) => sum + token.principal, 0n)
  if (held + amount > MAX_STAKED) return 'skipped'
  let token: StakedToken | undefined
  const { result, played } = await run(twin, build(twin, { kind: 'stake', validatorId, amount }), () => {
    token = oracle.stake(twin.oracleState.contract, validatorId, amount)
    return 0n
  })
  if (result.kind === 'done' && token) twin.oracleState.tokens.set(result.created[0]?.id ?? '', token)
  return played
}

/** A part is split off in the same transaction, so an abort undoes the split as well. */
async function leaveWith(
  twin: Twin,
  id: string,
  kind: 'unstake' | 'withdraw',
  part: bigint | undefined,
): Promise<Played> {
  const { oracleState } = twin
  let leaving: StakedToken | undefined
  const action = { kind, stakedTokenId: id, amount: part } as const
  const { result, played } = await run(twin, build(twin, action), () => {
    leaving = part === undefined ? tokenOf(twin, id) : split(tokenOf(twin, id), part)
    if (kind === 'withdraw') return oracle.withdrawToken(oracleState.contract, leaving)
    oracle.requestToken(oracleState.contract, leaving)
    return 0n
  })
  if (result.kind === 'aborted') return played
  if (kind === 'withdraw' && part === undefined) oracleState.tokens.delete(id)
  if (kind === 'unstake' && part !== undefined && leaving)
    oracleState.tokens.set(result.created[0]?.id ?? '', leaving)
  return played
}

const call = (name: string, objectId: string, second: Extract<Command, { kind: 'moveCall' }>['arguments']) =>
  ({
    kind: 'moveCall',
    id: 'made',
    target: `${PACKAGE_ID}::staked_token::${name}`,
    typeArguments: [],
    arguments: [{ kind: 'ownedObject', objectId }, ...second],
  }) as const satisfies Command

async function splitToken(twin: Twin, id: string, amount: bigint): Promise<Played> {
  const commands = [
    call('split', id, [{ kind: 'pure', type: 'u64', value: `${amount}` }]),
    { kind: 'transferToSender', objects: [{ kind: 'result', of: 'made' }] },
  ] as const
  let part: StakedToken | undefined
  const { result, played } = await run(twin, commands, () => {
    part = split(tokenOf(twin, id), amount)
    return 0n
  })
  if (result.kind === 'done' && part) twin.oracleState.tokens.set(result.created[0]?.id ?? '', part)
  return played
}

async function joinTokens(twin: Twin, id: string, other: string): Promise<Played> {
  const commands = [call('join', id, [{ kind: 'ownedObject', objectId: other }])]
  const { played } = await run(twin, commands, () => {
    join(tokenOf(twin, id), tokenOf(twin, other))
    twin.oracleState.tokens.delete(other)
    return 0n
  })
  return played
}

async function operate(
  twin: Twin,
  step: Extract<Step, { kind: 'enter' | 'leave' | 'commission' }>,
): Promise<Played> {
  const { oracleState, ids } = twin
  const id = ids[step.validator % ids.length] ?? ''
  const sides = {
    enter: () =>
      twin.operate(
        (world) => joinSet(world, id),
        () => oracle.joinSet(oracleState.contract, id),
      ),
    leave: () =>
      twin.operate(
        (world) => leaveSet(world, id),
        () => oracle.leaveSet(oracleState.contract, id),
      ),
    commission: () => {
      const bps = step.kind === 'commission' ? step.bps : 0
      const { contract } = oracleState
      return twin.operate(
        (world) => announceCommission(world, id, bps),
        () => announce(oracle.poolOf(contract, id), bps, contract.epoch),
      )
    },
  }
  const got = await sides[step.kind]()
  return got.kind === 'done' ? 'done' : `aborted ${got.by}`
}

/** Moves the clock past the middle of the epoch: the sandbox selects the committee at its next read. */
async function passMiddle({ clock, oracleState }: Twin): Promise<Played> {
  if (oracleState.contract.nextCommittee !== undefined) return 'skipped'
  clock.time += EPOCH_MS * 0.6
  oracle.selectCommittee(oracleState.contract)
  return 'done'
}

/** Sets the rewards of the epoch and the validators that fail in the world, then ends epochs with `advance`. */
async function endEpochs(
  twin: Twin,
  { reward, missed, times }: Extract<Step, { kind: 'end' }>,
): Promise<Played> {
  const { oracleState, chain, ids } = twin
  // The founding epoch pays nothing, as on the chain.
  const paid = oracleState.contract.epoch === 0 ? 0n : reward
  const absent = new Set(missed.map((index) => ids[index % ids.length] ?? ''))
  await twin.operate(
    (world) => {
      Object.assign(world, { rewardsPerYear: (paid * YEAR_MS + BigInt(EPOCH_MS) - 1n) / BigInt(EPOCH_MS) })
      for (const [id, validator] of world.validators)
        world.validators.set(id, { ...validator, missesPerMille: absent.has(id) ? 1_000 : 0 })
      if (oracleState.contract.nextCommittee === undefined) selectNextCommittee(world)
    },
    () => {
      if (oracleState.contract.nextCommittee === undefined) oracle.selectCommittee(oracleState.contract)
    },
  )
  const begun = oracleState.contract.epoch
  assert.equal(await chain.advance(times), begun + times)
  try {
    for (let done = 0; done < times; done += 1) {
      if (oracleState.contract.nextCommittee === undefined) oracle.selectCommittee(oracleState.contract)
      const slashed = oracleState.contract.committee.filter((id) => absent.has(id))
      oracle.endEpoch(oracleState.contract, paid, new Set(slashed))
    }
    return 'done'
  } catch (error) {
    // The real chain would halt here for good, but the sandbox goes on: nothing more can be compared.
    if (error instanceof MoveAbort) return 'stopped'
    throw error
  }
}
