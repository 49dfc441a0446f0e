import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { PolicyRule } from '#ports/stores/policies.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { brokenByShare, brokenBySpread } from './holding-rules.ts'
import { recognitionOf, SETTLING_MS, unseenBuilds } from './unseen-builds.ts'
import { type Facts, NOTHING_BUILT, type Wish, type WishItem } from './wish.ts'

const RUNS = 400 * Number(process.env['PROPERTY_RUNS'] ?? 1)
const SENDER = '0x1'
const NOW = Date.UTC(2026, 0, 1)
const MINUTE_MS = 60_000
const IDS = ['a', 'b', 'c'] as const

const tokenOf = (id: string, validatorId: string, principal: bigint): StakedToken => ({
  id,
  owner: SENDER,
  validatorId,
  principal,
  activationEpoch: 2,
  withdrawEpoch: undefined,
  rewards: 0n,
  shares: undefined,
})

/** A transaction of one action: a stake, or what it takes from a token. */
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

/** The chain after the transaction; undefined where it would refuse. */
function carriedOut(
  tokens: readonly StakedToken[],
  { token, validatorId, amount }: Act,
): readonly StakedToken[] | undefined {
  if (token === undefined) return [...tokens, tokenOf(`new ${tokens.length}`, validatorId, amount)]
  const found = tokens.find(({ id }) => id === token)
  if (!found || found.principal < amount) return undefined
  const rest = tokens.filter(({ id }) => id !== token)
  return found.principal === amount ? rest : [...rest, { ...found, principal: found.principal - amount }]
}

/** Every state that the chain may be in, if each of these is carried out or not, in their order. */
function outcomes(
  tokens: readonly StakedToken[],
  transactions: readonly (readonly Act[])[],
): readonly (readonly StakedToken[])[] {
  const [first, ...rest] = transactions
  if (!first) return [tokens]
  const after = first.reduce<readonly StakedToken[] | undefined>(
    (state, act) => state && carriedOut(state, act),
    tokens,
  )
  return [...outcomes(tokens, rest), ...(after ? outcomes(after, rest) : [])]
}

const amounts = fc.bigInt({ min: 1n, max: 9n })
const holdings = fc
  .array(fc.tuple(fc.constantFrom(...IDS), amounts), { maxLength: 4 })
  .map((list) => list.map(([id, amount], at) => tokenOf(`t${at}`, id, amount)))

/** Acts on the tokens: stakes anywhere, and at most one that takes from each token. */
const actsOn = (tokens: readonly StakedToken[], maxLength: number): fc.Arbitrary<readonly Act[]> => {
  const stake = fc.record({ validatorId: fc.constantFrom(...IDS), amount: amounts })
  const takes = tokens.map(({ id, validatorId, principal }) =>
    fc.bigInt({ min: 1n, max: principal }).map((amount): Act => ({ token: id, validatorId, amount })),
  )
  return fc
    .array(fc.oneof<fc.Arbitrary<Act>[]>(stake, ...takes), { maxLength })
    .map((list) =>
      list.filter(
        ({ token }, at) => token === undefined || list.findIndex((one) => one.token === token) === at,
      ),
    )
}

/** Tokens, what was built and is not seen, and a wish that takes from no token that was built on. */
const cases = holdings.chain((tokens) =>
  fc.record({ tokens: fc.constant(tokens), pending: actsOn(tokens, 4), wished: actsOn(tokens, 3) }),
)
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

/** Every part of a list, in its order. */
function partsOf<T>(list: readonly T[]): readonly (readonly T[])[] {
  const [first, ...rest] = list
  return first === undefined ? [[]] : partsOf(rest).flatMap((part) => [part, [first, ...part]])
}

const ordersOf = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length === 0
    ? [[]]
    : list.flatMap((one, at) => ordersOf(list.toSpliced(at, 1)).map((rest) => [one, ...rest]))

const stakedWith = (tokens: readonly StakedToken[], id?: string): bigint =>
  tokens
    .filter(({ validatorId }) => id === undefined || validatorId === id)
    .reduce((sum, { principal }) => sum + principal, 0n)

/** By how much the validator is above its share, in hundredths. */
const excess = (tokens: readonly StakedToken[], id: string, share: number): bigint =>
  stakedWith(tokens, id) * 100n - stakedWith(tokens) * BigInt(share * 100)

/** Validators that a stake brings above the share at the moment when it is carried out, not before the wish. */
function passedBy(
  tokens: readonly StakedToken[],
  order: readonly Transaction[],
  { wish, share }: { readonly wish: Transaction; readonly share: number },
): readonly string[] {
  let state = tokens
  return order.flatMap((transaction, at) => {
    for (const act of transaction)
      state = carriedOut(state, act) ?? assert.fail('each token is taken from once')
    if (at < order.indexOf(wish)) return []
    const receiving = transaction.flatMap(({ token, validatorId }) =>
      token === undefined ? [validatorId] : [],
    )
    // The share is rounded up to a whole unit.
    return receiving.filter((id) => excess(state, id, share) >= 100n)
  })
}

/** Whether the wish makes any order of what was built and itself pass the share, or pass it by more. */
function passesShare(
  tokens: readonly StakedToken[],
  pending: readonly Transaction[],
  { wish, share }: { readonly wish: Transaction; readonly share: number },
): boolean {
  const after = wish.reduce((state, act) => carriedOut(state, act) ?? state, tokens)
  const isByWish = (id: string) =>
    wish.some(({ token, validatorId }) => token === undefined && validatorId === id) ||
    excess(after, id, share) > excess(tokens, id, share)
  return partsOf(pending)
    .flatMap((part) => ordersOf([...part, wish]))
    .some((order) => passedBy(tokens, order, { wish, share }).some(isByWish))
}

test('what is refused is exactly what can break the rule, whatever becomes of what was built before', () => {
  fc.assert(
    fc.property(cases, rules, fc.boolean(), ({ tokens, pending, wished }, rule, isPaired) => {
      const acts = wished.filter(
        ({ token }) => token === undefined || !pending.some((one) => one.token === token),
      )
      if (acts.length === 0) return
      const wish = wishOf(acts.map((act) => toItem(act, tokens)))
      // Two at a time are one transaction.
      const pairs = isPaired
        ? pending.flatMap((_, at) => (at % 2 === 0 ? [pending.slice(at, at + 2)] : []))
        : pending.map((act) => [act])
      const built = pairs.map((acts, at) =>
        reservationOf(
          acts.map((act) => toItem(act, tokens)),
          `r${at}`,
          NOW,
        ),
      )
      const isRefused = isBroken(rule, wish, factsOf(tokens, built))
      const canBreak =
        rule.rule === 'maxShare'
          ? passesShare(tokens, pairs, { wish: acts, share: rule.share })
          : outcomes(tokens, pairs).some((state) => isBroken(rule, wish, factsOf(state, [])))
      assert.equal(isRefused, canBreak)
    }),
    { numRuns: RUNS },
  )
})

test('a refusal clears with the first transaction whose end lets the wish through', () => {
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

/** So many pending transactions that they are not gone through one by one. */
const crowded = fc
  .array(fc.tuple(fc.constantFrom(...IDS), amounts), { minLength: 2, maxLength: 5 })
  .map((list) => list.map(([id, amount], at) => tokenOf(`t${at}`, id, amount)))
  .chain((tokens) => {
    const stake = fc.record({ validatorId: fc.constantFrom(...IDS), amount: amounts })
    const more: fc.Arbitrary<readonly Act[]> = fc.array(stake, { minLength: 9, maxLength: 10 })
    return fc.record({
      tokens: fc.constant(tokens),
      pending: fc.tuple(actsOn(tokens, 3), more).map(([some, others]) => [...some, ...others].slice(0, 10)),
      wished: actsOn(tokens, 3),
      validators: fc.integer({ min: 1, max: 3 }),
    })
  })

test('minValidators: with more than eight pending builds nothing that can break it is built', () => {
  let built = 0
  let refused = 0
  fc.assert(
    fc.property(crowded, ({ tokens, pending, wished, validators }) => {
      const acts = wished.filter(
        ({ token }) => token === undefined || !pending.some((one) => one.token === token),
      )
      if (acts.length === 0) return
      const rule = { rule: 'minValidators', validators } as const
      const wish = wishOf(acts.map((act) => toItem(act, tokens)))
      const reserved = pending.map((act, at) => reservationOf([toItem(act, tokens)], `r${at}`, NOW))
      const isRefused = isBroken(rule, wish, factsOf(tokens, reserved))
      const states = outcomes(
        tokens,
        pending.map((act) => [act]),
      )
      if (isRefused) refused += 1
      else built += 1
      if (!isRefused) assert(!states.some((state) => isBroken(rule, wish, factsOf(state, []))))
      // It is refused for a reason: some outcome leaves fewer than that.
      const left = states.map((state) =>
        acts.reduce<readonly StakedToken[]>((after, act) => carriedOut(after, act) ?? after, state),
      )
      const fewest = Math.min(...left.map((after) => new Set(after.map((one) => one.validatorId)).size))
      assert.equal(isRefused, fewest < validators)
    }),
    { numRuns: RUNS / 4 },
  )
  assert(built > 0 && refused > 0, `${built} built, ${refused} refused`)
})

type Step =
  | { readonly kind: 'build'; readonly act: number; readonly amount: bigint }
  | { readonly kind: 'carry out'; readonly which: number }
  | { readonly kind: 'wait'; readonly minutes: number }
  | { readonly kind: 'take a part' | 'split off' | 'join'; readonly which: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof<fc.Arbitrary<Step>[]>(
    // Few different ones, so that many are alike.
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

/** What else is built and carried out: some tokens come to look like a stake that may still come. */
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
  // What is split off is asked back, under an id of its own.
  const part = { ...one, id: `${id}'`, principal: 5n, withdrawEpoch: 3 }
  return { left: kind === 'split off' ? [...rest, part] : rest, touch: built('unstake') }
}

const atLeastNone = (amount: bigint): bigint => (amount > 0n ? amount : 0n)

type Reshaping = Extract<Step, { which: number }>

test('of stakes that are alike, those that were carried out are told from those that may still be', () => {
  fc.assert(
    fc.property(steps, (life) => {
      let now = NOW
      let tokens: readonly StakedToken[] = [tokenOf('old', 'a', 5n), tokenOf('older', 'a', 1n)]
      const touches: Reservation[] = []
      const built: (Reservation & { readonly act: Act; isDone: boolean })[] = []
      for (const step of life) {
        if (step.kind === 'wait') now += step.minutes * MINUTE_MS
        if (step.kind === 'build') {
          const act = { validatorId: IDS[step.act] ?? 'a', amount: step.amount }
          const item = {
            ...toItem(act, tokens),
            ...recognitionOf(act, { sender: SENDER, epoch: 1, built: [...built, ...touches], tokens, now }),
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
          tokens = [...tokens, tokenOf(`made by ${one.id}`, one.act.validatorId, one.act.amount)]
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
