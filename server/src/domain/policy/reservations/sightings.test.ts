import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import type { Reservation, ReservedItem } from '#ports/stores/reservations.ts'
import { runs } from '../../../../test/support/repetitions.ts'
import { stakedToken } from '../../../../test/support/sample-network.ts'
import { doubtEndsAt, sightingsAmong } from './sightings.ts'

const RUNS = runs(500).numRuns
const LIFETIME = 10
const SETTLING = 5

/** The effect of a transaction: stakes of one unit with each of these validators, or a whole token unstaked. */
type Deed = { readonly stakes: readonly ('a' | 'b' | 'c')[] } | { readonly token: string }

type Step =
  | { readonly kind: 'build'; readonly deed: Deed }
  | { readonly kind: 'carry out' | 'release'; readonly which: number }
  | { readonly kind: 'look' }
  | { readonly kind: 'wait'; readonly minutes: number }

type Life = { now: number; tokens: readonly StakedToken[]; built: Built[] }
type Built = {
  reservation: Reservation
  isDone: boolean
  isFree: boolean
  /** The ids of the tokens that existed when it was built. */
  readonly olderIds: ReadonlySet<string>
}

/** `knownIds` is undefined if no earlier build was unseen: then the service reads no tokens. */
const itemsOf = (deed: Deed, knownIds: readonly string[] | undefined): readonly ReservedItem[] =>
  'token' in deed
    ? [
        {
          action: 'unstake',
          validatorId: 'a',
          amount: 9n,
          token: { id: deed.token, principal: 9n },
          alike: undefined,
        },
      ]
    : deed.stakes.map((validatorId) => ({
        action: 'stake',
        validatorId,
        amount: 1n,
        token: undefined,
        alike: undefined,
        knownIds,
      }))

const seenIn = ({ built }: Life) =>
  built.flatMap(({ reservation }) => (reservation.isSeen ? [reservation] : []))

/** Simulates the sighting that the service does before each build and regularly. */
function look(life: Life): void {
  const open = life.built.filter(({ reservation, isFree }) => !isFree && !reservation.isSeen)
  const found = sightingsAmong(
    open.map(({ reservation }) => reservation),
    { tokens: life.tokens, seen: seenIn(life) },
  )
  const openIds = open.map(({ reservation }) => reservation.id)
  for (const { id, madeIds } of found)
    for (const one of open.filter(({ reservation }) => reservation.id === id)) {
      const rivalIds = openIds.filter((other) => other !== id)
      const items = one.reservation.items.map((item, at) => ({ ...item, madeId: madeIds[at], rivalIds }))
      one.reservation = { ...one.reservation, isSeen: true, items }
    }
}

const isReleasable = (life: Life, { reservation }: Built): boolean =>
  doubtEndsAt(reservation, { tokens: life.tokens, seen: seenIn(life) }) <= life.now - SETTLING

/** Oracle: whether the chain lacks an effect, a taken token or a new token for each of its stakes. */
const lacksEffect = ({ tokens }: Life, { reservation: { items }, olderIds }: Built): boolean =>
  items.some(({ validatorId, token }) => {
    if (token) return tokens.some(({ id }) => id === token.id)
    const made = tokens.filter((held) => held.validatorId === validatorId && !olderIds.has(held.id))
    return made.length < items.filter((other) => other.validatorId === validatorId).length
  })

function carryOut(life: Life, one: Built): void {
  const { items, expiresAt, id } = one.reservation
  const isThere = ({ token }: ReservedItem) => !token || life.tokens.some((held) => held.id === token.id)
  // A released transaction is never signed.
  if (one.isDone || one.isFree || life.now > expiresAt || !items.every(isThere)) return
  one.isDone = true
  life.tokens = [
    ...life.tokens.filter((held) => !items.some(({ token }) => token?.id === held.id)),
    ...items.flatMap(({ token, validatorId, amount }, at) =>
      token ? [] : [stakedToken(`${id} ${at}`, validatorId, amount)],
    ),
  ]
}

const moved = (some: readonly Built[]): bigint =>
  some.reduce((sum, { reservation: { items } }) => items.reduce((all, { amount }) => all + amount, sum), 0n)

// Few different effects, so that many transactions are alike.
const deed = fc.constantFrom<Deed>(
  { stakes: ['a'] },
  { stakes: ['a'] },
  { stakes: ['a'] },
  { stakes: ['a', 'b'] },
  { stakes: ['b', 'c'] },
  { stakes: ['a', 'a'] },
  { token: 'x' },
)
const build: fc.Arbitrary<Step> = fc.record({ kind: fc.constant('build' as const), deed })
const end: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('carry out' as const, 'release' as const),
  which: fc.nat(3),
})
const pause: fc.Arbitrary<Step> = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.constant({ kind: 'look' as const }),
  fc.record({ kind: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 12 }) }),
)
const step = fc.oneof(
  { weight: 3, arbitrary: build },
  { weight: 6, arbitrary: end },
  { weight: 2, arbitrary: pause },
)
/** First some builds, then random steps. */
const lives = fc
  .tuple(fc.array(build, { minLength: 2, maxLength: 3 }), fc.array(step, { maxLength: 10, size: 'max' }))
  .map(([first, steps]) => [...first, ...steps])

test('in random lives, an executed transaction is never released, and one never executed can be released in the end', () => {
  let freed = 0
  fc.assert(
    fc.property(lives, (steps) => {
      const life: Life = { now: 0, tokens: [stakedToken('x', 'a', 9n)], built: [] }
      for (const one of steps) {
        if (one.kind === 'wait') life.now += one.minutes
        if (one.kind === 'look') look(life)
        if (one.kind === 'build') {
          look(life)
          const id = `r${life.built.length}`
          const times = { at: life.now, expiresAt: life.now + LIFETIME, epoch: 1 }
          const isRead = life.built.some((other) => !other.isFree && !other.reservation.isSeen)
          const olderIds = new Set(life.tokens.map((token) => token.id))
          const items = itemsOf(one.deed, isRead ? [...olderIds] : undefined)
          const reservation = { id, intentId: id, ...times, sender: 'me', items, isSeen: false }
          life.built.push({ reservation, isDone: false, isFree: false, olderIds })
        }
        const which = 'which' in one ? life.built[one.which % Math.max(1, life.built.length)] : undefined
        if (which && one.kind === 'carry out') carryOut(life, which)
        if (which && one.kind === 'release') {
          look(life)
          if (!which.reservation.isSeen && lacksEffect(life, which))
            assert(isReleasable(life, which), 'what lacks an effect was not carried out')
          if (!isReleasable(life, which)) continue
          which.isFree = true
          freed += 1
        }
        const counting = life.built.filter(({ isFree }) => !isFree)
        const done = life.built.filter(({ isDone }) => isDone)
        assert(moved(done) <= moved(counting), 'never less than what was moved')
      }
      life.now += LIFETIME + SETTLING
      look(life)
      const kept = life.built.filter((one) => !one.isFree && !isReleasable(life, one))
      const done = life.built.filter(({ isDone }) => isDone)
      // A batch and a stake that is like a part of it cannot always be told apart.
      const hasBatch = life.built.some(({ reservation }) => reservation.items.length > 1)
      if (!hasBatch) assert.equal(moved(kept), moved(done), 'nothing is stuck')
      assert(moved(kept) >= moved(done), 'nor too little kept')
    }),
    { numRuns: RUNS },
  )
  assert(freed > 0)
})

/** A reservation that stakes one unit with each of these validators. */
const reservationOf = (id: string, at: number, validatorIds: readonly ('a' | 'b' | 'c')[]): Reservation => ({
  id,
  intentId: id,
  at,
  expiresAt: at + LIFETIME,
  epoch: 1,
  sender: '0x1',
  items: itemsOf({ stakes: validatorIds }, undefined),
  isSeen: false,
})

test('an effect that fits several reservations settles the one with the most effects, then the newest', () => {
  const settledOf = (tokens: readonly StakedToken[], ...unseen: readonly Reservation[]) =>
    [unseen, unseen.toReversed()].map((order) =>
      sightingsAmong(order, { tokens, seen: [] }).map(({ id }) => id),
    )
  const [a, b] = [stakedToken('t1', 'a', 1n), stakedToken('t2', 'b', 1n)]
  const both = reservationOf('both', 1, ['a', 'b'])
  assert.deepEqual(settledOf([a, b], both, reservationOf('one', 2, ['a'])), [['both'], ['both']])
  assert.deepEqual(settledOf([a], both, reservationOf('one', 2, ['a'])), [['one'], ['one']])
  const [older, newer] = [reservationOf('x', 1, ['a']), reservationOf('w', 2, ['a'])]
  assert.deepEqual(settledOf([a], older, newer), [['w'], ['w']])
  const twin = reservationOf('y', 1, ['a'])
  assert.deepEqual(settledOf([a], older, twin), [['y'], ['y']])
})

test('a join is executed once all joined tokens are gone, and it settles only one reservation', () => {
  const joining = (id: string): Reservation => ({
    ...reservationOf(id, 1, []),
    items: [
      {
        action: 'join',
        validatorId: 'a',
        amount: 2n,
        token: { id: 't1', principal: 1n },
        alike: undefined,
        joinedIds: ['t2'],
      },
    ],
  })
  const [kept, joined] = [stakedToken('t1', 'a', 1n), stakedToken('t2', 'a', 1n)]
  assert.deepEqual(sightingsAmong([joining('x')], { tokens: [kept, joined], seen: [] }), [])
  const found = sightingsAmong([joining('x'), joining('y')], { tokens: [kept], seen: [] })
  assert.deepEqual(
    found.map(({ id }) => id),
    ['y'],
  )
})
