import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrangeList, type Item } from './arrange-list.ts'

const LIST = {
  items: 'data',
  fields: ['id', 'name', 'stake', 'score'],
  compact: ['id', 'score'],
  id: 'id',
  sort: { id: 'asc', name: 'asc', stake: 'desc', score: 'desc' },
  sortedBy: 'id',
} as const

const someItems = fc.uniqueArray(
  fc.record({
    id: fc.stringMatching(/^[a-z]{1,3}$/),
    name: fc.oneof(fc.stringMatching(/^[0-9]{1,3}$/), fc.string({ maxLength: 3 })),
    stake: fc.bigInt({ min: 0n, max: 10n ** 19n }).map(String),
    score: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
  }),
  { selector: ({ id }) => id, maxLength: 30 },
)
const someSorting = fc.record(
  { sort: fc.constantFrom('id', 'name', 'stake', 'score'), order: fc.constantFrom('asc', 'desc') },
  { requiredKeys: [] },
)
const runs = { numRuns: 100 * Number(process.env['PROPERTY_RUNS'] ?? 1) }

function allPages(items: readonly Item[], request: object, limit: number): readonly Item[] {
  const page = arrangeList(items, LIST, { ...request, limit })
  if (page.nextCursor === null) return page.items
  assert.equal(page.items.length, limit)
  return [...page.items, ...allPages(items, { ...request, cursor: page.nextCursor }, limit)]
}

test('the pages of a list are the whole list, each item once, in the same order', () => {
  fc.assert(
    fc.property(someItems, someSorting, fc.integer({ min: 1, max: 7 }), (items, sorting, limit) => {
      const whole = arrangeList(items, LIST, sorting).items
      assert.equal(new Set(whole).size, items.length)
      assert.deepEqual(allPages(items, sorting, limit), whole)
    }),
    runs,
  )
})

test('amounts are sorted as numbers, the largest first; equal ones by id; unknown values last', () => {
  fc.assert(
    fc.property(someItems, (items) => {
      const stakes = arrangeList(items, LIST, { sort: 'stake' }).items.map(({ stake }) =>
        BigInt(String(stake)),
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

test('a page goes on where the one before ended, although its last item is gone', () => {
  const items = ['a', 'b', 'c', 'd'].map((id) => ({ id, name: id, stake: '1', score: 1 }))
  const { nextCursor } = arrangeList(items, LIST, { limit: 2 })
  const later = items.filter(({ id }) => id !== 'b')
  const rest = arrangeList(later, LIST, { limit: 2, cursor: nextCursor ?? '' })
  assert.deepEqual(
    rest.items.map(({ id }) => id),
    ['c', 'd'],
  )
})

test('a cursor of another sorting, and what is no cursor, are refused', () => {
  const items = ['a', 'b'].map((id) => ({ id, name: id, stake: '1', score: 1 }))
  const cursor = arrangeList(items, LIST, { limit: 1 }).nextCursor ?? ''
  assert.throws(() => arrangeList(items, LIST, { sort: 'name', cursor }), /another `sort`/)
  assert.throws(() => arrangeList(items, LIST, { order: 'desc', cursor }), /another `sort`/)
  for (const wrong of ['x', 'bnVsbA', Buffer.from('["id","asc",{},"a"]').toString('base64url')]) {
    assert.throws(() => arrangeList(items, LIST, { cursor: wrong }), /not a `nextCursor`/)
  }
})
