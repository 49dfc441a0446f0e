import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { PolicyDocument, PolicyRule } from '#ports/stores/policies.ts'
import { MINUTE_MS } from '../../src/durations.ts'
import { testClock } from '../support/test-clock.ts'
import { openInstance, planned, type World } from './reservation-world.ts'

/** Identical stakes of one sender: the chain shows how many were executed, not which. */

const LIFETIME_MS = 10 * MINUTE_MS
const AMOUNT = 10n
const LIMIT = 60n

type Step =
  | { readonly kind: 'build' | 'look' | 'next epoch' }
  /** The same stake is made for the address without the agent, once none of the agent's builds can be executed. */
  | { readonly kind: 'foreign stake' }
  | { readonly kind: 'execute' | 'release'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('build' as const, 'look' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('execute' as const, 'execute' as const, 'release' as const),
      which: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('next epoch' as const, 'foreign stake' as const) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 9 }) }),
  },
)

/**
 * The first build is executed, which must not be releasable although the chain may attribute its stake to the second
 * build; then the second is executed.
 */
const EXECUTE_BOTH: readonly Step[] = [
  { kind: 'execute', which: 0 },
  { kind: 'release', which: 0 },
  { kind: 'execute', which: 1 },
]

/** Two builds that are pending together, then random steps. */
export const equalStakeSteps = fc
  .tuple(fc.constantFrom([], EXECUTE_BOTH), fc.array(step, { maxLength: 25, size: 'max' }))
  .map(([first, steps]): readonly Step[] => [{ kind: 'build' }, { kind: 'build' }, ...first, ...steps])

/** With `maxShare` in `more`, each build stores which tokens exist. */
export const equalStakesDocument = (sender: string, more: readonly PolicyRule[] = []): PolicyDocument => ({
  rules: [
    { rule: 'actions', allow: ['stake'] },
    { rule: 'senders', allow: [sender] },
    { rule: 'maxPerWindow', amount: String(LIMIT), window: 'day', actions: ['stake'] },
    ...more,
  ],
  loosenAfterSeconds: 0,
})

type Built = {
  readonly id: string
  readonly lastEpoch: number
  /** Number of tokens on the chain at the time of the build. */
  readonly tokensBefore: number
  isExecuted: boolean
}

/** Each stake on the chain settles exactly one reservation; the others count until they can no longer be executed. */
export async function runEqualStakes(world: World, steps: readonly Step[]): Promise<void> {
  const clock = testClock()
  const tokens: StakedToken[] = []
  const built: Built[] = []
  const chain = { epoch: 10, epochStartedAt: clock.now() }
  const [{ reservations }] = world.instances
  const [first, second] = world.instances.map((instance) =>
    openInstance(instance, { ...world, clock, tokens, chain }),
  )
  assert(first && second)

  const stake = (amount: bigint) => {
    const instance = built.length % 2 === 0 ? first : second
    const transaction = planned(world.sender, { validatorId: 'v', amount, ...chain })
    return instance.admit(world.agentNo, transaction, clock.now() + LIFETIME_MS)
  }
  const stored = async (id: string) => {
    const [found] = await reservations.ofIntent(world.agentNo, id)
    assert(found)
    return found
  }
  const check = async (hasJustLooked: boolean) => {
    const all = await Promise.all(built.map(({ id }) => stored(id)))
    const executed = built.filter(({ isExecuted }) => isExecuted).length
    const seen = all.filter(({ isSeen }) => isSeen).length
    assert(all.filter(({ isReleased }) => !isReleased).length >= executed, 'every executed stake counts')
    assert(seen <= executed, 'no stake settles two reservations')
    if (hasJustLooked) assert.equal(seen, executed, 'each stake settles one reservation')
  }
  const execute = async (one: Built) => {
    // The wallet signs no transaction whose reservation was released.
    if (one.isExecuted || chain.epoch > one.lastEpoch || (await stored(one.id)).isReleased) return
    one.isExecuted = true
    addToken()
  }
  const addToken = () => {
    const activationEpoch = chain.epoch + 1
    const times = { activationEpoch, withdrawEpoch: undefined, rewards: 0n, shares: undefined }
    const id = `token ${tokens.length}`
    tokens.push({ id, owner: world.sender, validatorId: 'v', principal: AMOUNT, ...times })
  }
  /**
   * Only while no build can have the same activation epoch, which is up to two epochs after execution. The epoch then
   * ends, so that no later build has it, either.
   */
  const stakeElsewhere = () => {
    if (built.some(({ lastEpoch }) => chain.epoch + 1 <= lastEpoch + 2)) return
    addToken()
    nextEpoch(1)
  }
  const release = async (one: Built) => {
    await second.markExecuted()
    const { isSeen } = await stored(one.id)
    const isReleased = await first.release(world.agentNo, one.id)
    if (!isSeen && one.tokensBefore === tokens.length) assert(isReleased, 'no token is newer than its build')
  }
  const nextEpoch = (epochs: number) =>
    Object.assign(chain, { epoch: chain.epoch + epochs, epochStartedAt: clock.now() })

  for (const one of steps) {
    if (one.kind === 'build') {
      const id = await stake(AMOUNT)
      const tokensBefore = tokens.length
      if (id !== undefined) built.push({ id, lastEpoch: chain.epoch + 1, tokensBefore, isExecuted: false })
    }
    if (one.kind === 'look') await second.markExecuted()
    if (one.kind === 'wait') clock.advance(one.minutes * MINUTE_MS)
    if (one.kind === 'next epoch') nextEpoch(1)
    const which = 'which' in one ? built[one.which % built.length] : undefined
    if (which && one.kind === 'execute') await execute(which)
    if (which && one.kind === 'release') await release(which)
    if (one.kind === 'foreign stake') stakeElsewhere()
    await check(one.kind === 'look' || one.kind === 'build')
  }
  clock.advance(LIFETIME_MS)
  nextEpoch(2)
  clock.advance(LIFETIME_MS)
  const room = LIMIT - AMOUNT * BigInt(built.filter(({ isExecuted }) => isExecuted).length)
  assert.equal(await stake(room + 1n), undefined, 'executed stakes still count')
  if (room > 0n) assert(await stake(room), 'expired builds no longer count')
}
