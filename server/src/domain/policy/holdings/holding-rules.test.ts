import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { runs } from '../../../../test/support/repetitions.ts'
import { stakedToken } from '../../../../test/support/sample-network.ts'
import { recognitionOf, SETTLING_MS, unseenBuilds } from '../unseen-builds.ts'
import { type Facts, NOTHING_BUILT, type Wish, type WishItem } from '../wish.ts'
import { brokenByShare } from './max-share.ts'
import { brokenBySpread } from './min-validators.ts'

const RUNS = runs(400).numRuns
const SENDER = '0x1'
const NOW = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const IDS = ['a', 'b', 'c'] as const

/** One action: a stake, or an unstake from a token. */
type Act = { readonly token?: string; readonly validatorId: string; readonly amount: bigint }

const toItem = ({ token, validatorId, amount }: Act, tokens: readonly StakedToken[]): ReservedItem => {
  const found = tokens.find(({ id }) => id === token)
  return {
    action: found ? 'unstake' : 'stake',
    validatorId,
    amount,
    token: found && { id: found.id, principal: found.principal },
    alike: undefined,
  }
}

const reservationOf = (items: readonly ReservedItem[], id: string, at: number): Reservation => ({
  id,
  intentId: id,
  at,
  expiresAt: at + 10 * MINUTE_MS,
  epoch: 1,
  sender: SENDER,
  items,
  isSeen: false,
})

const wishOf = (items: readonly ReservedItem[]): Wish => ({
  network: 'sandbox',
  sender: SENDER,
  items: items.map((item): WishItem => ({ ...item, leavesStake: item.token !== undefined })),
  isBatch: true,
})

const factsOf = (tokens: readonly StakedToken[], built: readonly Reservation[]): Facts => ({
  now: NOW,
  validator: () => undefined,
  tokens,
  epoch: { number: 1, endsAt: NOW },
  ...NOTHING_BUILT,
  built,
})

/** The chain after the action; undefined if it would refuse it. */
function executed(
  tokens: readonly StakedToken[],
  { token, validatorId, amount }: Act,
): readonly StakedToken[] | undefined {
  if (token === undefined) return [...tokens, stakedToken(`new ${tokens.length}`, validatorId, amount)]
  const found = tokens.find(({ id }) => id === token)
  if (!found || found.principal < amount) return undefined
  const rest = tokens.filter(({ id }) => id !== token)
  return found.principal === amount ? rest : [...rest, { ...found, principal: found.principal - amount }]
}

const amounts = fc.bigInt({ min: 1n, max: 9n })
const holdings = fc
  .array(fc.tuple(fc.constantFrom(...IDS), amounts), { maxLength: 4 })
  .map((list) => list.map(([id, amount], at) => stakedToken(`t${at}`, id, amount)))

/** Random actions on the tokens: stakes with any validator, and at most one unstake from each token. */
const actsOn = (tokens: readonly StakedToken[], maxLength: number): fc.Arbitrary<readonly Act[]> => {
  const stake = fc.record({ validatorId: fc.constantFrom(...IDS), amount: amounts })
  // About half of them unstake the whole token.
  const takes = tokens.map(({ id, validatorId, principal }) =>
    fc
      .oneof(fc.constant(principal), fc.bigInt({ min: 1n, max: principal }))
      .map((amount): Act => ({ token: id, validatorId, amount })),
  )
  return fc
    .array(fc.oneof<fc.Arbitrary<Act>[]>(stake, ...takes), { maxLength })
    .map((list) =>
      list.filter(
        ({ token }, at) => token === undefined || list.findIndex((one) => one.token === token) === at,
      ),
    )
}

/** Tokens, pending actions and wished actions on them. */
const cases = holdings.chain((tokens) =>
  fc.record({ tokens: fc.constant(tokens), pending: actsOn(tokens, 4), wished: actsOn(tokens, 3) }),
)

/** Groups `size` actions each into a transaction. */
const grouped = (acts: readonly Act[], size: number): readonly Transaction[] =>
  acts.flatMap((_, at) => (at % size === 0 ? [acts.slice(at, at + size)] : []))

const takesWhole = (transaction: Transaction, tokens: readonly StakedToken[]): boolean =>
  transaction.every(({ token, amount }) => {
    const found = tokens.find(({ id }) => id === token)
    return !found || found.principal === amount
  })

/** Adds repeated builds, as after a lost answer. Transactions that take parts of tokens are not repeated. */
const withRepeats = (
  built: readonly Transaction[],
  count: number,
  tokens: readonly StakedToken[],
): readonly Transaction[] => [...built, ...built.filter((one) => takesWhole(one, tokens)).slice(0, count)]
const rules = fc.oneof<fc.Arbitrary<Extract<PolicyRule, { rule: 'maxShare' | 'minValidators' }>>[]>(
  fc.constantFrom(0.3, 0.5, 0.75, 1).map((share) => ({ rule: 'maxShare' as const, share })),
  fc.integer({ min: 1, max: 3 }).map((validators) => ({ rule: 'minValidators' as const, validators })),
)

type HoldingRule = Extract<PolicyRule, { rule: 'maxShare' | 'minValidators' }>

const breaches = (rule: HoldingRule, wish: Wish, facts: Facts) =>
  rule.rule === 'maxShare' ? brokenByShare(rule, wish, facts) : brokenBySpread(rule, wish, facts)

const isBroken = (rule: HoldingRule, wish: Wish, facts: Facts): boolean =>
  breaches(rule, wish, facts).length > 0

type Transaction = readonly Act[]

/** Every sublist of a list, in its order. */
function sublistsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = list
  return first === undefined ? [[]] : sublistsOf(rest).flatMap((part) => [part, [first, ...part]])
}

const ordersOf = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one, at) => ordersOf(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))

const stakedWith = (tokens: readonly StakedToken[], id?: string): bigint =>
  tokens
    .filter(({ validatorId }) => id === undefined || validatorId === id)
    .reduce((sum, { principal }) => sum + principal, 0n)

/** The stake of a validator above its share, in hundredths of a unit. */
const excess = (tokens: readonly StakedToken[], id: string, share: number): bigint =>
  stakedWith(tokens, id) * 100n - stakedWith(tokens) * BigInt(share * 100)

/** The chain before the first transaction and after each of them; undefined if it would refuse one. */
function statesBy(
  tokens: readonly StakedToken[],
  order: readonly Transaction[],
): readonly (readonly StakedToken[])[] | undefined {
  const states = [tokens]
  for (const transaction of order) {
    const after = transaction.reduce<readonly StakedToken[] | undefined>(
      (state, act) => state && executed(state, act),
      states.at(-1),
    )
    if (!after) return undefined
    states.push(after)
  }
  return states
}

/** Oracle: every order of the wish and of each subset of the pending transactions that the chain would execute. */
const possibleOrders = (
  tokens: readonly StakedToken[],
  pending: readonly Transaction[],
  wish: Transaction,
): readonly (readonly Transaction[])[] =>
  sublistsOf(pending)
    .flatMap((part) => ordersOf([...part, wish]))
    .filter((order) => statesBy(tokens, order) !== undefined)

/** Validators that a stake of an order brings above the share when it is executed, at or after the wish. */
function passedBy(
  tokens: readonly StakedToken[],
  order: readonly Transaction[],
  { wish, share }: { readonly wish: Transaction; readonly share: number },
): readonly string[] {
  const states = statesBy(tokens, order)
  return order.flatMap((transaction, at) => {
    const state = states?.[at + 1] ?? assert.fail('the order is possible')
    if (at < order.indexOf(wish)) return []
    const receiving = transaction.flatMap(({ token, validatorId }) =>
      token === undefined ? [validatorId] : [],
    )
    // The share is rounded up to a whole unit.
    return receiving.filter((id) => excess(state, id, share) >= 100n)
  })
}

/** Whether, in any order, the wish makes a validator exceed its share, or exceed it by more. */
function passesShare(
  tokens: readonly StakedToken[],
  pending: readonly Transaction[],
  { wish, share }: { readonly wish: Transaction; readonly share: number },
): boolean {
  const after = wish.reduce((state, act) => executed(state, act) ?? state, tokens)
  const isByWish = (id: string) =>
    wish.some(({ token, validatorId }) => token === undefined && validatorId === id) ||
    excess(after, id, share) > excess(tokens, id, share)
  return possibleOrders(tokens, pending, wish).some((order) =>
    passedBy(tokens, order, { wish, share }).some(isByWish),
  )
}

const countOf = (tokens: readonly StakedToken[] = []): number =>
  new Set(tokens.map(({ validatorId }) => validatorId)).size

/** The rule `minValidators` as documented, for one transaction between two states of the chain. */
const leavesTooFew = (
  before: readonly StakedToken[] | undefined,
  after: readonly StakedToken[] | undefined,
  validators: number,
): boolean => countOf(after) !== 0 && countOf(after) < validators && countOf(after) <= countOf(before)

/**
 * The numbers of validators left in orders where the wish, or a later transaction because of the wish, breaks the
 * rule.
 */
function leftByOrders(
  tokens: readonly StakedToken[],
  pending: readonly Transaction[],
  { wish, validators }: { readonly wish: Transaction; readonly validators: number },
): readonly number[] {
  return possibleOrders(tokens, pending, wish).flatMap((order) => {
    const place = order.indexOf(wish)
    const states = statesBy(tokens, order) ?? []
    const without = statesBy(tokens, order.toSpliced(place, 1)) ?? []
    return order.flatMap((_, at) => {
      const isBroken = at >= place && leavesTooFew(states[at], states[at + 1], validators)
      const isByWish = at === place || !leavesTooFew(without[at - 1], without[at], validators)
      return isBroken && isByWish ? [countOf(states[at + 1])] : []
    })
  })
}

/** The wished actions without those on tokens that a pending action uses. */
const withoutPending = (pending: readonly Act[], wished: readonly Act[]): Transaction =>
  wished.filter(({ token }) => token === undefined || !pending.some((one) => one.token === token))

const builtFrom = (transactions: readonly Transaction[], tokens: readonly StakedToken[]) =>
  transactions.map((acts, at) =>
    reservationOf(
      acts.map((act) => toItem(act, tokens)),
      `r${at}`,
      NOW,
    ),
  )

const figureOf = ({ actual }: { readonly actual: string }): number => Number.parseFloat(actual)

test('a wish is refused exactly if it can break the rule in some order with pending builds (brute force)', () => {
  const refused = { maxShare: 0, minValidators: 0 }
  fc.assert(
    fc.property(
      cases,
      rules,
      fc.constantFrom(1, 2, 4),
      fc.nat(1),
      ({ tokens, pending, wished }, rule, size, repeats) => {
        const acts = withoutPending(pending, wished)
        if (acts.length === 0) return
        const wish = wishOf(acts.map((act) => toItem(act, tokens)))
        const transactions = withRepeats(grouped(pending, size), repeats, tokens)
        const found = breaches(rule, wish, factsOf(tokens, builtFrom(transactions, tokens)))
        if (found.length > 0) refused[rule.rule] += 1
        if (rule.rule === 'maxShare') {
          const isPassed = passesShare(tokens, transactions, { wish: acts, share: rule.share })
          assert.equal(found.length > 0, isPassed)
        } else {
          const left = leftByOrders(tokens, transactions, { wish: acts, validators: rule.validators })
          assert.deepEqual(found.map(figureOf), left.length > 0 ? [Math.min(...left)] : [])
        }
      },
    ),
    { numRuns: 2 * RUNS },
  )
  assert(refused.maxShare > 0 && refused.minValidators > 0, JSON.stringify(refused))
})

/** Pending transactions that take whole tokens, often the same ones: the chain executes only one of these. */
const rivals = holdings.chain((tokens) => {
  const whole = (acts: readonly Act[]) =>
    acts.map((act) => ({
      ...act,
      amount: tokens.find(({ id }) => id === act.token)?.principal ?? act.amount,
    }))
  const one = actsOn(tokens, 3).filter((acts) => acts.length > 0)
  const pending = fc.array(one.map(whole), { minLength: 2, maxLength: 3 })
  return fc.record({ tokens: fc.constant(tokens), pending, wished: actsOn(tokens, 2) })
})

test('of rival transactions on a token, minValidators counts one, and maxShare considers all', () => {
  fc.assert(
    fc.property(rivals, rules, ({ tokens, pending, wished }, rule) => {
      const acts = withoutPending(pending.flat(), wished)
      if (acts.length === 0) return
      const wish = wishOf(acts.map((act) => toItem(act, tokens)))
      const isRefused = isBroken(rule, wish, factsOf(tokens, builtFrom(pending, tokens)))
      if (rule.rule === 'minValidators') {
        const left = leftByOrders(tokens, pending, { wish: acts, validators: rule.validators })
        assert.equal(isRefused, left.length > 0)
      } else if (passesShare(tokens, pending, { wish: acts, share: rule.share })) assert(isRefused)
    }),
    { numRuns: 2 * RUNS },
  )
})

test('`clearsAt` is the first expiry of a pending transaction after which the wish is allowed', () => {
  let waited = 0
  fc.assert(
    fc.property(cases, rules, ({ tokens, pending, wished }, rule) => {
      const acts = wished.filter(
        ({ token }) => token === undefined || !pending.some((one) => one.token === token),
      )
      if (acts.length === 0) return
      const wish = wishOf(acts.map((act) => toItem(act, tokens)))
      const built = pending.map((act, at) =>
        reservationOf([toItem(act, tokens)], `r${at}`, NOW - (pending.length - at) * MINUTE_MS),
      )
      const facts = factsOf(tokens, built)
      const ends = built.map(({ expiresAt }) => expiresAt + SETTLING_MS)
      const first = ends.find((now) => !isBroken(rule, wish, { ...facts, now }))
      const found = breaches(rule, wish, facts)
      if (found.length === 0) return
      const clears = found.map(({ clearsAt }) => clearsAt ?? Infinity)
      assert.equal(Math.max(...clears), first ?? Infinity)
      if (first !== undefined && first < Math.max(...ends)) waited += 1
    }),
    { numRuns: RUNS },
  )
  assert(waited > 0, 'some clear before the last one ends')
})

const MANY = Array.from({ length: 15 }, (_, at) => `v${at}`)

/** Many pending stakes, together with unstakes of existing tokens. */
const crowded = fc
  .array(fc.tuple(fc.constantFrom(...MANY.slice(0, 4)), amounts), { maxLength: 4 })
  .map((list) => list.map(([id, amount], at) => stakedToken(`t${at}`, id, amount)))
  .chain((tokens) => {
    const stake = (ids: readonly string[]) =>
      fc.record({ validatorId: fc.constantFrom(...ids), amount: amounts })
    const wished: fc.Arbitrary<readonly Act[]> = fc.array(stake(MANY.slice(10)), {
      minLength: 1,
      maxLength: 2,
    })
    return fc.record({
      tokens: fc.constant(tokens),
      taken: actsOn(tokens, 4).map((acts) => acts.filter(({ token }) => token !== undefined)),
      isTakenAtOnce: fc.boolean(),
      stakes: fc.uniqueArray(stake(MANY.slice(0, 13)), {
        minLength: 6,
        maxLength: 12,
        size: 'max',
        selector: ({ validatorId }) => validatorId,
      }),
      wished: fc.oneof(wished, actsOn(tokens, 3)),
      validators: fc.integer({ min: 1, max: 15 }),
    })
  })

/**
 * Oracle: whether the rule can be broken by the wish or by a transaction after it. Tries all sets instead of all
 * orders, which is equivalent and faster.
 */
function breaksInSets(
  tokens: readonly StakedToken[],
  pending: readonly Transaction[],
  { wish, validators }: { readonly wish: Transaction; readonly validators: number },
): boolean {
  const bySet = (first: readonly Transaction[]) => {
    let states = [statesBy(tokens, first)?.at(-1)]
    for (const one of pending)
      states = [...states, ...states.map((state) => state && statesBy(state, [one])?.at(-1))]
    return states
  }
  const sets = bySet([])
  const withWish = bySet([wish])
  return sets.some(
    (state, set) =>
      leavesTooFew(state, withWish[set], validators) ||
      pending.some((_, at) => {
        const next = set | (2 ** at)
        if (next === set) return false
        const isBroken = leavesTooFew(withWish[set], withWish[next], validators)
        return isBroken && !leavesTooFew(state, sets[next], validators)
      }),
  )
}

test('minValidators is exact for up to ten pending builds, and for new validators; otherwise cautious, and says so', () => {
  const seen = { exact: 0, new: 0, refusedUntried: 0 }
  fc.assert(
    fc.property(crowded, ({ tokens, taken, isTakenAtOnce, stakes, wished, validators }) => {
      const pending = [...grouped(taken, isTakenAtOnce ? 4 : 1), ...grouped(stakes, 1)].slice(0, 12)
      const wish = withoutPending(pending.flat(), wished)
      if (wish.length === 0) return
      const rule = { rule: 'minValidators', validators } as const
      const facts = factsOf(tokens, builtFrom(pending, tokens))
      const [found] = breaches(rule, wishOf(wish.map((act) => toItem(act, tokens))), facts)
      const canBreak = breaksInSets(tokens, pending, { wish, validators })
      if (canBreak) assert(found, 'nothing that can break it is built')
      const isUsed = (id: string) => [...tokens, ...stakes].some(({ validatorId }) => validatorId === id)
      const isNew = wish.every(({ token, validatorId }) => token === undefined && !isUsed(validatorId))
      const isExact = isNew || pending.length <= 10
      if (isExact) assert.equal(found !== undefined, canBreak)
      if (found && !canBreak)
        assert.match(
          found.actual,
          /not every order of them is checked; wait until the chain shows some, or release/,
        )
      if (found && !canBreak) assert.equal(typeof found.clearsAt, 'number')
      if (pending.length <= 10) seen.exact += 1
      else if (isNew) seen.new += 1
      else if (found) seen.refusedUntried += 1
    }),
    { numRuns: Math.ceil(RUNS / 2) },
  )
  assert(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen))
})

/** A decimal as an integer in units of 10^-40. */
const toUnits = (decimal: string): bigint => {
  const [whole = '', part = ''] = decimal.split('.')
  return BigInt(whole + part.padEnd(40, '0'))
}

test('maxShare: the limit is allowed; a share just above it is refused with a printed share above the limit', () => {
  const shares = fc
    .tuple(fc.integer({ min: 1, max: 4 }), fc.nat())
    .map(([digits, number]) => (1 + (number % (10 ** digits - 1))) / 10 ** digits)
  const wholes = fc.bigInt({ min: 10n ** 4n, max: 10n ** 15n }).map((units) => units * 10_000n)
  fc.assert(
    fc.property(shares, wholes, fc.bigInt({ min: 2n, max: 9n }), (share, whole, more) => {
      const limit = (whole * BigInt(Math.round(share * 10_000))) / 10_000n
      const judge = (amount: bigint, rest: bigint) => {
        const wish = wishOf([toItem({ validatorId: 'a', amount }, [])])
        return brokenByShare({ rule: 'maxShare', share }, wish, factsOf([stakedToken('t', 'b', rest)], []))
      }
      assert.deepEqual(judge(limit, whole - limit), [])
      const [found] = judge(limit + more, whole - limit - more > 0n ? whole - limit - more : 1n)
      if (!found) return
      const figure = found.actual.replace(' with a', '')
      assert(toUnits(figure) > toUnits(found.limit), `${figure} above ${found.limit}`)
    }),
    { numRuns: RUNS },
  )
  const million = stakedToken('t', 'b', 750_000n * 10n ** 9n)
  const stake = wishOf([toItem({ validatorId: 'a', amount: 250_001n * 10n ** 9n }, [])])
  const [found] = brokenByShare({ rule: 'maxShare', share: 0.25 }, stake, factsOf([million], []))
  assert.equal(found?.actual, '0.250001 with a')
})

type Step =
  | { readonly kind: 'build'; readonly act: number; readonly amount: bigint }
  | { readonly kind: 'carry out'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'take a part' | 'split off' | 'join'; readonly which: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    // Few different actions, so that many stakes are alike.
    fc.record({
      kind: fc.constant('build' as const),
      act: fc.nat(1),
      amount: fc.bigInt({ min: 5n, max: 6n }),
    }),
    fc.record({ kind: fc.constant('carry out' as const), which: fc.nat(20) }),
    fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
    fc.record({
      kind: fc.constantFrom('take a part' as const, 'split off' as const, 'join' as const),
      which: fc.nat(20),
    }),
  ),
  { maxLength: 25, size: 'max' },
)

/** A partial unstake, a split or a join, after which tokens may look like a pending stake. */
function reshaped(tokens: readonly StakedToken[], { kind, which }: Reshaping, now: number) {
  const index = which % tokens.length
  const one = tokens[index]
  const other = tokens.find((each) => each !== one && each.validatorId === one?.validatorId)
  if (!one || (kind === 'join' ? !other : one.principal < 2n)) return undefined
  const { id, validatorId, principal } = one
  const item = { validatorId, amount: 1n, token: { id, principal }, alike: undefined }
  const built = (action: 'unstake' | 'join', joinedIds?: readonly string[]) =>
    reservationOf([{ ...item, action, joinedIds }], `${kind} ${now} ${id}`, now)
  if (kind === 'join' && other) {
    const sum = { ...one, principal: principal + other.principal }
    const left = tokens.flatMap((each) => (each === one ? [sum] : each === other ? [] : [each]))
    return { left, touch: built('join', [other.id]) }
  }
  const rest = tokens.with(index, { ...one, principal: principal - 1n })
  // The part that is split off is unstaked, with an id of its own.
  const part = { ...one, id: `${id}'`, principal: 5n, withdrawEpoch: 3 }
  return { left: kind === 'split off' ? [...rest, part] : rest, touch: built('unstake') }
}

const atLeastNone = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

type Reshaping = Extract<Step, { which: number }>

test('of equal stakes, the executed ones are distinguished from those that are still pending', () => {
  fc.assert(
    fc.property(steps, (life) => {
      let now = NOW
      let tokens: readonly StakedToken[] = [stakedToken('old', 'a', 5n), stakedToken('older', 'a', 1n)]
      const touches: Reservation[] = []
      const built: (Reservation & { readonly act: Act; isDone: boolean })[] = []
      for (const step of life) {
        if (step.kind === 'wait') now += step.minutes * MINUTE_MS
        if (step.kind === 'build') {
          const act = { validatorId: IDS[step.act] ?? 'a', amount: step.amount }
          const item = {
            ...toItem(act, tokens),
            ...recognitionOf({ sender: SENDER, epoch: 1, built: [...built, ...touches], tokens, now })(act),
          }
          built.push({ ...reservationOf([item], `r${built.length}`, now), act, isDone: false })
        }
        if (step.kind === 'take a part' || step.kind === 'split off' || step.kind === 'join') {
          const { left, touch } = reshaped(tokens, step, now) ?? {}
          tokens = left ?? tokens
          if (touch) touches.push(touch)
        }
        const one = step.kind === 'carry out' ? built[step.which % Math.max(1, built.length)] : undefined
        if (one && !one.isDone && now < one.expiresAt) {
          tokens = [...tokens, stakedToken(`made by ${one.id}`, one.act.validatorId, one.act.amount)]
          one.isDone = true
        }
        const unseen = unseenBuilds(wishOf([]), { built: [...built, ...touches], tokens, now })
        const open = built.filter(({ expiresAt }) => expiresAt + SETTLING_MS > now)
        for (const id of IDS) {
          const coming = unseen.reduce((sum, { changes }) => sum + atLeastNone(changes.get(id) ?? 0n), 0n)
          const expected = open
            .filter(({ act, isDone }) => act.validatorId === id && !isDone)
            .reduce((sum, { act }) => sum + act.amount, 0n)
          assert(coming >= expected, 'never less than what may come')
          if (open.length === built.length && touches.length === 0) assert.equal(coming, expected)
        }
        if ([...open, ...touches].every(({ expiresAt }) => expiresAt + SETTLING_MS <= now))
          assert.deepEqual(unseen, [], 'nothing is stuck')
      }
    }),
    { numRuns: RUNS },
  )
})
