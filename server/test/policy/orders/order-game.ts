import assert from 'node:assert/strict'
import { type Client, type Input, type Reply, StakewrightError } from '@stakewright/client'
import { MINUTE_MS } from '../../../src/durations.ts'
import type { TestApp } from '../../support/test-app.ts'
import type { Act, Life, RuleName } from './order-steps.ts'

const UNIT = 1_000_000_000n
const units = (amount: number): string => String(BigInt(amount) * UNIT)

const LIMITS = { tx: 160, window: 110, share: 0.35, validators: 3 } as const

type Rule = Input<'writePolicy'>['rules'][number]

export const RULE_OF: Readonly<Record<RuleName, Rule>> = {
  maxPerTx: { rule: 'maxPerTx', amount: units(LIMITS.tx) },
  approvalAbove: { rule: 'approvalAbove', amount: units(LIMITS.tx) },
  maxPerWindow: {
    rule: 'maxPerWindow',
    window: 'day',
    amount: units(LIMITS.window),
    actions: ['unstake', 'withdraw'],
  },
  maxShare: { rule: 'maxShare', share: LIMITS.share },
  minValidators: { rule: 'minValidators', validators: LIMITS.validators },
}

type Built = {
  readonly commands: Input<'sandboxExecute'>['commands']
  readonly intentId: string
  /** The chain accepts it until the end of this epoch, regardless of `expiresAt`. */
  readonly lastEpoch: number
  readonly receiving: readonly string[]
  /** Number of transactions that were executed before it was built. */
  readonly after: number
  /** Its number in the order of execution, from 1. */
  ranAs?: number
  /** Unstaked amounts by validator; undefined: it was not executed. */
  taken?: ReadonlyMap<string, bigint>
}

type Holding = Reply<'positions'>['positions'][number]
type Amounts = ReadonlyMap<string, bigint>

export type Player = {
  readonly app: TestApp
  /** Client of the agent whose policy has the rules. */
  readonly key: Client
  readonly sender: string
  readonly validators: readonly string[]
  /** Three identical tokens with one validator, and one token with each of three others. */
  readonly tokens: readonly string[]
}

/** Plays the steps and checks every rule against the chain after each transaction. Returns how many were executed. */
export async function playOrder(
  { app, key, sender, validators, tokens }: Player,
  { rules, steps }: Life,
): Promise<number> {
  const built: Built[] = []
  const ids = [...tokens]
  let executed = 0
  const positions = async (): Promise<readonly Holding[]> =>
    (await key.positions({ owner: sender, limit: 100 })).positions

  const itemOf = (act: Act): Input<'buildBatch'>['items'][number] => {
    if (act.kind === 'stake')
      return { action: 'stake', validatorId: validators[act.to] ?? '', amount: units(act.amount) }
    if (act.kind === 'join')
      return { action: 'join', stakedTokenIds: act.tokens.map((at) => ids[at % ids.length] ?? '') }
    const stakedTokenId = ids[act.token % ids.length] ?? ''
    return {
      action: 'unstake',
      stakedTokenId,
      ...(act.amount !== undefined && { amount: units(act.amount) }),
    }
  }

  async function build(acts: readonly Act[]): Promise<void> {
    const items = acts.map(itemOf)
    const answer = await key.buildBatch({ items, sender }).catch(refused)
    if (!answer) return
    built.push({
      commands: answer.commands,
      intentId: answer.intentId,
      lastEpoch: answer.intent.expiresEpoch ?? 0,
      receiving: items.flatMap((item) => (item.action === 'stake' ? [item.validatorId] : [])),
      after: executed,
    })
  }

  async function run(one: Built): Promise<void> {
    if (one.taken || (await key.epoch()).epoch > one.lastEpoch) return
    const before = await positions()
    const result = await key.sandboxExecute({ sender, commands: one.commands }).catch(refused)
    if (result?.status !== 'done') return
    executed += 1
    one.ranAs = executed
    ids.push(...result.created.map(({ stakedTokenId }) => stakedTokenId))
    const after = await positions()
    one.taken = takenBetween(before, after)
    checkRules(rules, { before, after, one, built })
  }

  for (const step of steps) {
    if (step.kind === 'build') await build(step.acts)
    if (step.kind === 'wait') app.clock.advance(step.minutes * MINUTE_MS)
    if (step.kind === 'look' || step.kind === 'wait') await app.runJob('watch-network')
    const at = 'which' in step ? step.which % Math.max(1, built.length) : 0
    const one = built[at]
    if (one && step.kind === 'run') await run(one)
    if (one && step.kind === 'release') {
      const isReleased = await key.releaseReservation({ intentId: one.intentId }).then(() => true, refused)
      // The wallet signs no transaction whose reservation was released.
      if (isReleased && !one.taken) built.splice(at, 1)
    }
  }
  await checkNotStuck()
  return executed

  async function checkNotStuck(): Promise<void> {
    const { durationMs } = await key.epoch()
    app.clock.advance(2 * durationMs + 6 * MINUTE_MS)
    await app.runJob('watch-network')
    for (const { stakedTokenId } of (await positions()).filter(isStaked)) {
      const items = [{ action: 'unstake', stakedTokenId, amount: units(1) }] as const
      const { broken } = await key.simulatePolicy({ items, sender })
      assert(!broken.some(({ rule }) => rule === 'oneTransactionPerToken'), 'no token stays locked')
    }
  }
}

/** Turns a refusal by a rule or by the chain into `undefined`. */
function refused(error: unknown): undefined {
  const codes = ['forbidden', 'invalid_input', 'not_found', 'approval_needed']
  if (error instanceof StakewrightError && codes.includes(error.code)) return undefined
  throw error
}

const isStaked = ({ state }: Holding): boolean => state !== 'withdrawing' && state !== 'withdrawable'

function staked(holdings: readonly Holding[]): Amounts {
  const sums = new Map<string, bigint>()
  for (const { validatorId, principal } of holdings.filter(isStaked))
    sums.set(validatorId, (sums.get(validatorId) ?? 0n) + BigInt(principal))
  return sums
}

const sumOf = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n)

/** Amounts that the transaction unstaked, by validator: they stay positions until they are paid out. */
function takenBetween(before: readonly Holding[], after: readonly Holding[]): Amounts {
  const leaving = (holdings: readonly Holding[], id: string) =>
    sumOf(
      holdings.flatMap((one) => (one.validatorId === id && !isStaked(one) ? [BigInt(one.principal)] : [])),
    )
  const ids = new Set(after.map(({ validatorId }) => validatorId))
  return new Map([...ids].map((id) => [id, leaving(after, id) - leaving(before, id)]))
}

type Outcome = {
  readonly before: readonly Holding[]
  readonly after: readonly Holding[]
  readonly one: Built
  readonly built: readonly Built[]
}

function checkRules(rules: readonly RuleName[], { before, after, one, built }: Outcome): void {
  const all = (holdings: readonly Holding[]) => sumOf(holdings.map(({ principal }) => BigInt(principal)))
  const taken = sumOf((one.taken ?? new Map()).values())
  const moved = taken + all(after) - all(before)
  const held = staked(after)
  if (rules.includes('maxPerTx') || rules.includes('approvalAbove'))
    assert(moved <= BigInt(units(LIMITS.tx)), `${moved} in one transaction`)
  if (rules.includes('maxPerWindow')) {
    const inAll = sumOf(built.flatMap((each) => (each.taken ? [...each.taken.values()] : [])))
    assert(inAll <= BigInt(units(LIMITS.window)), `${inAll} taken within a day`)
  }
  if (rules.includes('minValidators')) assert(held.size >= LIMITS.validators, `${held.size} validators left`)
  if (rules.includes('maxShare')) checkShares(held, built)
}

/**
 * `maxShare` holds at the last stake with each validator: builds made after it may still unstake from the other
 * validators, so their amounts are added back.
 */
function checkShares(held: Amounts, built: readonly Built[]): void {
  const stakes = built.filter(({ ranAs }) => ranAs !== undefined)
  for (const id of new Set(stakes.flatMap(({ receiving }) => receiving))) {
    const last = Math.max(...stakes.map(({ receiving, ranAs = 0 }) => (receiving.includes(id) ? ranAs : 0)))
    const later = built.filter(({ after }) => after >= last).flatMap(({ taken }) => [...(taken ?? [])])
    const amount = (held.get(id) ?? 0n) + sumOf(later.flatMap(([from, part]) => (from === id ? [part] : [])))
    const total = sumOf(held.values()) + sumOf(later.map(([, part]) => part))
    assert(amount * 100n <= total * BigInt(LIMITS.share * 100), `${amount} of ${total} with one validator`)
  }
}
