import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactText } from './compact-text.ts'
import { shortenAnswer } from './shorten-answer.ts'

test('a long value that repeats in the row below is written once', () => {
  const rows = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'].map((at, index) => ({
    index,
    at,
  }))
  assert.equal(
    compactText({ rows }),
    'rows (3):\n  index | at\n  0 | 2026-01-01T00:00:00Z\n  1 | "\n  2 | 2026-01-02T00:00:00Z',
  )
})

test('a text that looks like the mark for a repetition is quoted', () => {
  assert.equal(compactText({ rows: [{ name: '"' }] }), 'rows (1):\n  name\n  "\\""')
})

test('what is not there is no value, and numbers have ten digits', () => {
  assert.equal(compactText({ rows: [{ a: undefined, b: 1 / 3 }] }), 'rows (1):\n  b\n  0.3333333333')
})

test('what is drawn is left out first, then lists lose their ends, and each is counted', () => {
  const many = (length: number) => Array.from({ length }, (_, at) => ({ at, id: 'x'.repeat(60) + at }))
  const plan = {
    steps: many(10),
    calls: many(40),
    timeline: many(2),
    explanation: { curves: many(6), rate: 1 },
  }
  const { answer, omitted } = shortenAnswer(plan, compactText)
  assert.deepEqual(answer['timeline'], [])
  assert.deepEqual(answer['explanation'], { curves: [], rate: 1 })
  assert.deepEqual(answer['steps'], plan.steps)
  const shown = answer['calls'] as readonly unknown[]
  assert.deepEqual(omitted, { 'explanation.curves': 6, timeline: 2, calls: 40 - shown.length })
  assert(compactText(answer).length <= 2_700)
})

test('a small answer stays whole', () => {
  const answer = { data: [1, 2], timeline: [{ epoch: 1 }] }
  assert.deepEqual(shortenAnswer(answer, compactText), { answer, omitted: {} })
})
