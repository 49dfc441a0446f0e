import assert from 'node:assert/strict'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/durations.ts'
import { testClock } from '../support/test-clock.ts'
import type { Command } from './reservation-commands.ts'
import { type Built, expectedClears, expectedRoom } from './reservation-expectations.ts'
import { type Holding, LIMITS, openInstance, planned, plannedJoin, type World } from './reservation-world.ts'

const LIFETIME_MS = 10 * MINUTE_MS

/** Runs the commands and compares every outcome with the reference model. */
export async function runCommands(world: World, steps: readonly Command[]): Promise<void> {
  const clock = testClock()
  const tokens: StakedToken[] = []
  const built: Built[] = []
  const chain = { epoch: 10, epochStartedAt: clock.now() }
  let passed = 0
  let admits = world.instances.map((instance) => openInstance(instance, { ...world, clock, tokens, chain }))

  /** Every build has a validator of its own, so that the chain shows exactly which builds were executed. */
  const build = async (amount: bigint, times: number) => {
    const validators = Array.from({ length: times }, (_, at) => `v${built.length + at}`)
    for (const validatorId of validators) addFormerToken(validatorId, { ...world, tokens })
    const room = expectedRoom(built, { now: clock.now(), ...chain, amount, times })
    const expiresAt = clock.now() + LIFETIME_MS
    const later = built.flatMap(({ isFree, laterAt }) => (isFree ? [] : (laterAt ?? [])))
    const answers = await Promise.all(
      validators.map((validatorId, at) => {
        const transaction = planned(world.sender, { validatorId, amount, ...chain })
        return admits[at % 2]?.admit(world.agentNo, transaction, expiresAt)
      }),
    )
    const ids = answers.flatMap((id, at) =>
      id === undefined ? [] : [{ id, validatorId: validators[at] ?? '' }],
    )
    assert.equal(ids.length, Math.min(times, room), 'exactly the builds that fit are allowed')
    for (const { id, validatorId } of ids) {
      built.push({
        id,
        validatorId,
        amount,
        expiresAt,
        epoch: chain.epoch,
        lastEpoch: chain.epoch + 1,
        at: clock.now(),
        laterAt: later.length === 0 ? undefined : Math.max(...later),
        builtAfter: passed,
        isFree: false,
        isExecuted: false,
      })
    }
    return ids.map(({ id }) => built.find((one) => one.id === id)).filter((one) => one !== undefined)
  }

  /** The answer names, for each full window, the first moment at which it has room if nothing happens until then. */
  const ask = async (amount: bigint) => {
    const now = clock.now()
    const transaction = planned(world.sender, { validatorId: 'nobody', amount, ...chain })
    const clears = await admits[0]?.clears(world.agentNo, transaction)
    expectedRoom(built, { now, ...chain, amount, times: 1 })
    // Builds of a clock that was ahead count a second time; the expectations do not model their clear times.
    if (built.some(({ isFree, laterAt }) => !isFree && laterAt !== undefined)) return
    assert.deepEqual(clears, expectedClears(built, { now, ...chain, amount, times: 1 }))
  }

  const known: Built[] = []
  for (const step of steps) {
    if (step.kind === 'build') {
      const made = await build(BigInt(step.amount), step.times)
      // After a lost answer nobody can sign or release the build.
      if (!step.isLost) known.push(...made)
    }
    if (step.kind === 'ask') await ask(BigInt(step.amount))
    if (step.kind === 'move clock') {
      clock.advance(step.by)
      // Setting the clock back takes no true time.
      passed += Math.max(0, step.by)
    }
    if (step.kind === 'next epoch')
      Object.assign(chain, { epoch: chain.epoch + step.epochs, epochStartedAt: clock.now() })
    if (step.kind === 'restart') {
      admits = (await world.restart()).map((instance) =>
        openInstance(instance, { ...world, clock, tokens, chain }),
      )
    }
    const one = 'which' in step ? known[step.which % Math.max(1, known.length)] : undefined
    if (one && step.kind === 'execute') execute(one, chain.epoch, { ...world, tokens })
    if (one && isTaking(step.kind)) {
      if (step.kind !== 'take part elsewhere') await admits[0]?.markExecuted()
      take(one, step.kind === 'take all', tokens)
    }
    if (one && step.kind === 'join') {
      const pair = pairOf(one, step.stays, tokens)
      const joined = pair && plannedJoin(...pair, chain)
      if (joined) {
        const id = await admits[step.which % 2]?.admit(world.agentNo, joined, clock.now() + LIFETIME_MS)
        assert(id !== undefined, 'a join uses no room of a window')
        join(pair, tokens)
      }
    }
    if (one && step.kind === 'release') {
      const isReleased = (await admits[0]?.release(world.agentNo, one.id)) ?? false
      assert.equal(isReleased, one.isFree || !one.isExecuted, 'an executed build is not released')
      if (isReleased) one.isFree = true
    }
    checkNeverOver(built, passed)
  }
  clock.advance(31 * DAY_MS)
  chain.epoch += 1
  await build(LIMITS.hour, 1)
  assert.equal(built.at(-1)?.amount, LIMITS.hour, 'a month later all windows are empty')
}

function addFormerToken(validatorId: string, { sender, tokens }: Holding): void {
  const times = { activationEpoch: 1, withdrawEpoch: undefined, rewards: 0n, shares: undefined }
  tokens.push({ id: `former ${validatorId}`, owner: sender, validatorId, principal: FORMER, ...times })
}

function execute(one: Built, present: number, { sender, tokens }: Holding): void {
  if (one.isFree || one.isExecuted || present > one.lastEpoch) return
  one.isExecuted = true
  const { validatorId, amount } = one
  const times = { activationEpoch: present + 1, withdrawEpoch: undefined, rewards: 0n, shares: undefined }
  tokens.push({ id: tokenId(validatorId), owner: sender, validatorId, principal: amount, ...times })
}

/** Principal of the token that each validator has before the build: larger than any build, so never taken for one. */
const FORMER = 1_000n

const tokenId = (validatorId: string) => `token of ${validatorId}`

type Pair = readonly [stays: StakedToken, ends: StakedToken]

/** The token of a stake and the former one of its validator; undefined: one of them is gone. */
function pairOf({ validatorId }: Built, stays: boolean, tokens: readonly StakedToken[]): Pair | undefined {
  const own = tokens.find(({ id }) => id === tokenId(validatorId))
  const former = tokens.find((token) => token.validatorId === validatorId && token !== own)
  if (!own || !former) return undefined
  return stays ? [own, former] : [former, own]
}

function join([stays, ends]: Pair, tokens: StakedToken[]): void {
  tokens.splice(tokens.indexOf(ends), 1)
  tokens.splice(tokens.indexOf(stays), 1, { ...stays, principal: stays.principal + ends.principal })
}

const isTaking = (kind: Command['kind']): boolean => kind.startsWith('take')

/** Unstakes the whole token of the stake, or one unit of it. */
function take({ validatorId }: Built, isAll: boolean, tokens: StakedToken[]): void {
  const at = tokens.findIndex(({ id }) => id === tokenId(validatorId))
  const token = tokens[at]
  if (!token || (!isAll && token.principal === 1n)) return
  tokens.splice(at, 1, ...(isAll ? [] : [{ ...token, principal: token.principal - 1n }]))
}

/** The executed builds of any hour or day of true time stay within the window's limit. */
function checkNeverOver(built: readonly Built[], passed: number): void {
  for (const [limit, length] of [
    [LIMITS.hour, HOUR_MS],
    [LIMITS.day, DAY_MS],
  ] as const) {
    const signed = built.filter(({ isExecuted, builtAfter }) => isExecuted && builtAfter > passed - length)
    assert(signed.reduce((sum, { amount }) => sum + amount, 0n) <= limit, 'executed builds exceed a window')
  }
}
