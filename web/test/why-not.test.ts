import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForOne, rankOf } from '../src/data/allocation/why-not.ts'

const field = Array.from({ length: 300 }, (_, index) => ({
  id: `0x${index}`,
  score: 90 - index / 5,
  ineligible: [],
}))
const INPUT = { amount: '1000000000', maxValidators: 5, explain: true, groups: [], exclude: ['0x1'] }
const at = (index: number) => field[index] ?? { id: '', score: 0, ineligible: [] }

test('validators with at least the same score are excluded by id, the others by `minScore`', () => {
  const asked = askForOne(at(60), field, INPUT)
  assert.equal(asked?.maxValidators, 1)
  assert(asked?.exclude && asked.exclude.length <= 62)
  const left = field.filter(({ id, score }) => score >= (asked.minScore ?? 0) && !asked.exclude?.includes(id))
  assert.deepEqual(
    left.map(({ id }) => id),
    ['0x60'],
  )
})

test('a higher `minScore` of the user is kept', () => {
  assert.equal(askForOne(at(60), field, { ...INPUT, minScore: 78 })?.minScore, 78)
})

test('with more than a hundred better validators there is no request, and `rankOf` gives the rank', () => {
  assert.equal(askForOne(at(150), field, INPUT), undefined)
  assert.equal(rankOf(at(150), field), 151)
})

test('ineligible validators are not in the list of excluded ids', () => {
  const barred = field.map((one, index) => (index < 100 ? { ...one, ineligible: ['no_seat'] } : one))
  assert((askForOne(at(150), barred, INPUT)?.exclude?.length ?? 0) <= 52)
})
