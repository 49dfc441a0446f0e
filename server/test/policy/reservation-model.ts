import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { NetworkView } from '#domain/network/network-view.ts'
import { admitTransactions, releaseReservation } from '#domain/policy/admit-transaction.ts'
import { policiesInForce } from '#domain/policy/policies-in-force.ts'
import { sightReservations } from '#domain/policy/reservations/sight-reservations.ts'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { ActionRecord } from '#ports/stores/agents.ts'
import type { Policies, PolicyDocument } from '#ports/stores/policies.ts'
import type { Reservations } from '#ports/stores/reservations.ts'
import { MINUTE_MS } from '../../src/durations.ts'
import { Fault } from '../../src/fault.ts'
import { type TestClock, testClock } from '../support/test-clock.ts'

const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const STEP_MS = 5 * MINUTE_MS
const LIFETIME_MS = 10 * MINUTE_MS
const LIMITS = { hour: 60n, day: 100n, epoch: 130n } as const

export const documentFor = (sender: string): PolicyDocument => ({
  rules: [
    { rule: 'actions', allow: ['stake'] },
    { rule: 'senders', allow: [sender] },
    ...Object.entries(LIMITS).map(([window, amount]) => ({
      rule: 'maxPerWindow' as const,
      window: window as keyof typeof LIMITS,
      amount: String(amount),
      actions: ['stake' as const],
    })),
  ],
  loosenAfterSeconds: 0,
})

/** What two instances share, and what each has of its own. */
export type Instance = { readonly policies: Policies; readonly reservations: Reservations }
export type World = {
  readonly agentNo: number
  /** Signs for this agent alone. */
  readonly sender: string
  readonly instances: readonly [Instance, Instance]
  /** A process that starts again knows nothing but what is stored. */
  readonly restart: () => Promise<readonly [Instance, Instance]>
}

type Command =
  | { readonly kind: 'build'; readonly amount: number; readonly times: number; readonly isLost: boolean }
  | { readonly kind: 'execute' | 'release'; readonly which: number }
  /** A part that is taken out may be taken by others, which the service does not see. */
  | { readonly kind: 'take all' | 'take part' | 'take part elsewhere'; readonly which: number }
  | { readonly kind: 'move clock'; readonly by: number }
  | { readonly kind: 'next epoch' | 'restart' }

const by = fc.constantFrom(
  MINUTE_MS,
  11 * MINUTE_MS,
  16 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  -MINUTE_MS,
  -3 * DAY_MS,
)
export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        kind: fc.constant('build' as const),
        amount: fc.integer({ min: 1, max: 70 }),
        times: fc.integer({ min: 1, max: 4 }),
        isLost: fc.boolean(),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom('execute' as const, 'release' as const),
        which: fc.nat(99),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('take all' as const, 'take part' as const, 'take part elsewhere' as const),
        which: fc.nat(99),
      }),
    },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('move clock' as const), by }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('next epoch' as const, 'restart' as const) }) },
  ),
  { maxLength: 60, size: 'max' },
)

type Built = {
  readonly id: string
  readonly validatorId: string
  readonly amount: bigint
  readonly expiresAt: number
  readonly epoch: number
  /** How much time had passed, whatever the clock said. */
  readonly builtAfter: number
  at: number
  isFree: boolean
  isExecuted: boolean
}

/** Lives through the commands, and holds every outcome against a list of what was built. */
export async function liveThrough(world: World, steps: readonly Command[]): Promise<void> {
  const clock = testClock()
  const tokens: StakedToken[] = []
  const built: Built[] = []
  let epoch = 10
  let passed = 0
  let admits = world.instances.map((instance) => openInstance(instance, { ...world, clock, tokens }))

  /** Every build has a validator of its own, so that the chain shows exactly which were carried out. */
  const build = async (amount: bigint, times: number) => {
    const validators = Array.from({ length: times }, (_, at) => `v${built.length + at}`)
    const room = expectedRoom(built, { now: clock.now(), epoch, amount, times })
    const expiresAt = clock.now() + LIFETIME_MS
    const answers = await Promise.all(
      validators.map((validatorId, at) => {
        const transaction = planned(world.sender, { validatorId, amount, epoch })
        return admits[at % 2]?.admit(world.agentNo, transaction, expiresAt)
      }),
    )
    const ids = answers.flatMap((id, at) =>
      id === undefined ? [] : [{ id, validatorId: validators[at] ?? '' }],
    )
    assert.equal(ids.length, Math.min(times, room), 'as many are built as there is room for')
    for (const { id, validatorId } of ids) {
      built.push({
        id,
        validatorId,
        amount,
        expiresAt,
        epoch,
        at: clock.now(),
        builtAfter: passed,
        isFree: false,
        isExecuted: false,
      })
    }
    return ids.map(({ id }) => built.find((one) => one.id === id)).filter((one) => one !== undefined)
  }

  const known: Built[] = []
  for (const step of steps) {
    if (step.kind === 'build') {
      const made = await build(BigInt(step.amount), step.times)
      // An answer that got lost: nobody can sign or release what nobody has seen.
      if (!step.isLost) known.push(...made)
    }
    if (step.kind === 'move clock') {
      clock.advance(step.by)
      // A clock that is put back takes no time.
      passed += Math.max(0, step.by)
    }
    if (step.kind === 'next epoch') epoch += 1
    if (step.kind === 'restart') {
      admits = (await world.restart()).map((instance) => openInstance(instance, { ...world, clock, tokens }))
    }
    const one = 'which' in step ? known[step.which % Math.max(1, known.length)] : undefined
    if (one && step.kind === 'execute') execute(one, clock.now(), { ...world, tokens })
    if (one && isTaking(step.kind)) {
      if (step.kind !== 'take part elsewhere') await admits[0]?.sight()
      take(one, step.kind === 'take all', tokens)
    }
    if (one && step.kind === 'release') {
      const isReleased = (await admits[0]?.release(world.agentNo, one.id)) ?? false
      assert.equal(isReleased, one.isFree || !one.isExecuted, 'what was carried out is not given back')
      if (isReleased) one.isFree = true
    }
    checkNeverOver(built, passed)
  }
  clock.advance(31 * DAY_MS)
  epoch += 1
  await build(LIMITS.hour, 1)
  assert.equal(built.at(-1)?.amount, LIMITS.hour, 'nothing is stuck')
}

type Holding = { readonly sender: string; readonly tokens: StakedToken[] }

function execute(one: Built, now: number, { sender, tokens }: Holding): void {
  if (one.isFree || one.isExecuted || now > one.expiresAt) return
  one.isExecuted = true
  const { validatorId, amount, epoch } = one
  const times = { activationEpoch: epoch + 1, withdrawEpoch: undefined, rewards: 0n }
  tokens.push({ id: `token of ${validatorId}`, owner: sender, validatorId, principal: amount, ...times })
}

const isTaking = (kind: Command['kind']): boolean => kind.startsWith('take')

/** Takes all of the stake out again, or one unit of it. */
function take({ validatorId }: Built, isAll: boolean, tokens: StakedToken[]): void {
  const at = tokens.findIndex((token) => token.validatorId === validatorId)
  const token = tokens[at]
  if (!token || (!isAll && token.principal === 1n)) return
  tokens.splice(at, 1, ...(isAll ? [] : [{ ...token, principal: token.principal - 1n }]))
}

type Wanted = {
  readonly now: number
  readonly epoch: number
  readonly amount: bigint
  readonly times: number
}

/** How many builds of this amount have room, by the plain meaning of the windows. */
function expectedRoom(built: readonly Built[], { now, epoch, amount, times }: Wanted): number {
  for (const one of built) if (!one.isFree && one.at > now + STEP_MS) one.at = now
  const fits = () => {
    const counted = built.filter(({ isFree }) => !isFree)
    const left = (limit: bigint, part: readonly Built[]) =>
      (limit - part.reduce((sum, one) => sum + one.amount, 0n)) / amount
    const lefts = [
      left(
        LIMITS.hour,
        counted.filter(({ at }) => at > now - HOUR_MS),
      ),
      left(
        LIMITS.day,
        counted.filter(({ at }) => at > now - DAY_MS),
      ),
      left(
        LIMITS.epoch,
        counted.filter((one) => one.epoch >= epoch),
      ),
    ]
    return Math.max(0, Math.min(...lefts.map(Number)))
  }
  if (fits() >= times) return fits()
  // Where room is short, what has expired without being carried out is given back.
  const isRead = (one: Built) => one.at > now - DAY_MS || one.epoch >= epoch
  for (const one of built) {
    if (isRead(one) && one.expiresAt + STEP_MS < now && !one.isExecuted) one.isFree = true
  }
  return fits()
}

/** Whatever was built and signed within the time of a window is within its limit. */
function checkNeverOver(built: readonly Built[], passed: number): void {
  for (const [limit, length] of [
    [LIMITS.hour, HOUR_MS],
    [LIMITS.day, DAY_MS],
  ] as const) {
    const signed = built.filter(({ isExecuted, builtAfter }) => isExecuted && builtAfter > passed - length)
    assert(signed.reduce((sum, { amount }) => sum + amount, 0n) <= limit, 'never over')
  }
}

const nobodyAsks = () => assert.fail('the policy of the model needs no approval')

function openInstance(
  { policies, reservations }: Instance,
  { sender, clock, tokens }: Holding & { readonly clock: TestClock },
) {
  let ids = 0
  const prefix = crypto.randomUUID()
  const needs = {
    inForce: policiesInForce({ policies }),
    reservations,
    chain: { stakedTokensOf: async () => tokens },
    clock,
    secrets: { newReservationId: () => `${prefix} ${++ids}` },
  }
  const admit = admitTransactions({ ...needs, approve: nobodyAsks })
  const release = releaseReservation(needs)
  const sight = sightReservations(needs)
  const deadline = AbortSignal.timeout(600_000)
  const refusedAs = (code: string) => (error: unknown) => {
    if (error instanceof Fault && error.code === code) return undefined
    throw error
  }
  const build = async (no: number, transaction: ReturnType<typeof planned>, expiresAt: number) => {
    const allowed = await admit({ no, policyRevision: 1 }, transaction, deadline)
    const intentId = `${prefix} ${++ids}`
    await allowed?.reserve?.(intentId, expiresAt)
    return intentId
  }
  return {
    admit: (no: number, transaction: ReturnType<typeof planned>, expiresAt: number) =>
      build(no, transaction, expiresAt).catch(refusedAs('forbidden')),
    /** As before every build that takes from a stake. */
    sight: () => sight(sender, deadline),
    release: (no: number, id: string) =>
      release({ no, policyRevision: 1 }, id, deadline).then(() => true, refusedAs('invalid_input')),
  }
}

type Stake = Pick<Built, 'validatorId' | 'amount' | 'epoch'>

function planned(sender: string, { validatorId, amount, epoch }: Stake) {
  const snapshot = { network: 'sandbox', epoch: { number: epoch, startedAt: 0, durationMs: DAY_MS } }
  return {
    // The rules of this policy look at nothing else of the network.
    view: { snapshot, byId: new Map() } as unknown as NetworkView,
    planned: [
      {
        action: { kind: 'stake' as const, validatorId, amount },
        epoch: epoch + 1,
        summary: '',
        warnings: [],
        moved: { validatorId, amount, owner: undefined, token: undefined },
        leaving: undefined,
      },
    ],
    sender,
    isBatch: false,
  }
}

export const RECORD: ActionRecord = {
  actions: ['set-policy'],
  at: 0,
  actor: { kind: 'user', id: 'ann', role: 'user' },
  truncatedAddress: '',
  via: 'rest',
  notice: () => undefined,
}
