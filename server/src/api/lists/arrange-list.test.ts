import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wholeRuns } from '../../../test/support/repetitions.ts'
import { Fault } from '../../fault.ts'
import { arrangeList, type Item } from './arrange-list.ts'

const LIST = 'validators'

const someItems = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]{1,3}$/),
    name: fc.oneof(fc.stringMatching(/^[0-9]{1,3}$/), fc.string({ maxLength: 3 })),
    totalStake: fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
    score: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
)
const someSorting = fc.record(
  { sort: fc.constantFrom('id', 'name', 'totalStake', 'score'), order: fc.constantFrom('asc', 'desc') },
  { requiredKeys: [] },
)
const runs = wholeRuns(100)

function allPages(items: readonly Item[], request: object, limit: number): readonly Item[] {
  const page = arrangeList(items, LIST, { ...request, limit })
  if (page.nextCursor === null) return page.items
  assert.equal(page.items.length, limit)
  return [...page.items, ...allPages(items, { ...request, cursor: page.nextCursor }, limit)]
}

test('the pages together are the whole list: each item once, in the same order', () => {
  fc.assert(
    fc.property(someItems, someSorting, fc.integer({ min: 1, max: 7 }), (items, sorting, limit) => {
      const whole = arrangeList(items, LIST, sorting).items
      assert.equal(new Set(whole).size, items.length)
      assert.deepEqual(allPages(items, sorting, limit), whole)
    }),
    runs,
  )
})

test('amounts are sorted as numbers, the largest first; unknown values come last in both orders', () => {
  fc.assert(
    fc.property(someItems, (items) => {
      const stakes = arrangeList(items, LIST, { sort: 'totalStake' }).items.map(({ totalStake }) =>
        BigInt(String(totalStake)),
      )
      assert(stakes.every((stake, at) => at === 0 || stake <= (stakes[at - 1] ?? 0n)))
      for (const order of ['asc', 'desc'] as const) {
        const scores = arrangeList(items, LIST, { sort: 'score', order }).items.map(({ score }) => score)
        const unknown = scores.indexOf(null)
        assert(unknown < 0 || scores.slice(unknown).every((score) => score === null))
      }
    }),
    runs,
  )
})

const sameValues = (ids: string) => [...ids].map((id) => ({ id, name: id, totalStake: '1', score: 1 }))

test('sorted by id, the next page continues correctly after the last item of the page before was removed', () => {
  const { nextCursor } = arrangeList(sameValues('abcd'), LIST, { limit: 2 })
  const rest = arrangeList(sameValues('acd'), LIST, { limit: 2, cursor: nextCursor ?? '' })
  assert.deepEqual(
    rest.items.map(({ id }) => id),
    ['c', 'd'],
  )
})

/** Reads all pages of a list that changes before each page after the first; undefined: a page was refused. */
function walkThrough(states: readonly (readonly Item[])[], request: object, limit: number) {
  const seen: Item[] = []
  let cursor: string | null = null
  for (let at = 0; at === 0 || cursor !== null; at++) {
    const epoch = Math.min(at, states.length - 1)
    const paged = { ...request, limit, ...(cursor !== null && { cursor }) }
    try {
      const page = arrangeList(states[epoch] ?? [], LIST, paged, { epoch })
      seen.push(...page.items)
      cursor = page.nextCursor
    } catch (error) {
      assert(error instanceof Fault && cursor !== null)
      assert.match(
        error.message,
        /the data changed \(epoch \d+ is now \d+\).* Leave out `cursor` to begin at the first page\.$/,
      )
      return undefined
    }
  }
  return seen.map(({ id }) => id)
}

test('paging through a list that changes between the pages gives each item once, or is refused', () => {
  const ends = { whole: 0, refused: 0 }
  const values = fc.record({ totalStake: fc.nat({ max: 5 }).map(String), score: fc.nat({ max: 3 }) })
  const changes = fc.array(fc.array(fc.tuple(fc.nat({ max: 19 }), values), { maxLength: 4 }), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(
      someItems,
      changes,
      someSorting,
      fc.integer({ min: 1, max: 7 }),
      (items, later, sorting, limit) => {
        const states = [items as readonly Item[]]
        for (const change of later) {
          const changed = new Map(change)
          states.push((states.at(-1) ?? []).map((item, at) => ({ ...item, ...changed.get(at) })))
        }
        const seen = walkThrough(states, sorting, limit)
        ends[seen ? 'whole' : 'refused']++
        if (seen) assert.deepEqual(seen.toSorted(), items.map(({ id }) => id).toSorted())
        else assert(sorting.sort !== undefined && sorting.sort !== 'id')
      },
    ),
    runs,
  )
  assert(ends.whole > 0 && ends.refused > 0)
})

test('a cursor stays valid if a change moves no item across the end of its page', () => {
  const items = ['a', 'b', 'c', 'd'].map((id, at) => ({ id, score: 10 - at }))
  const { nextCursor } = arrangeList(items, LIST, { sort: 'score', limit: 2 })
  const later = [...items.map(({ id, score }) => ({ id, score: score * 2 })), { id: 'e', score: 1 }]
  const rest = arrangeList(later, LIST, { sort: 'score', cursor: nextCursor ?? '' })
  assert.deepEqual(
    rest.items.map(({ id }) => id),
    ['c', 'd', 'e'],
  )
})

test('a cursor of another list, filter or sorting, and text that is no cursor, are refused', () => {
  const items = sameValues('ab')
  const cursor = arrangeList(items, LIST, { limit: 1 }).nextCursor ?? ''
  assert.throws(() => arrangeList(items, LIST, { sort: 'name', cursor }), /another `sort`/)
  assert.throws(() => arrangeList(items, LIST, { order: 'desc', cursor }), /another `sort`/)
  assert.throws(() => arrangeList(items, LIST, { search: 'a', cursor }), /another list or other filters/)
  assert.throws(() => arrangeList(items, LIST, { cursor }, { of: 'ann' }), /another list or other filters/)
  assert.throws(() => arrangeList(items, 'validatorHistories', { cursor }), /another list or other filters/)
  for (const wrong of ['x', 'bnVsbA', Buffer.from('["id","asc"]').toString('base64url')]) {
    assert.throws(() => arrangeList(items, LIST, { cursor: wrong }), /not a `nextCursor`/)
  }
})
