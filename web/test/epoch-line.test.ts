import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasLonePoint, spanOf, withGaps } from '../src/plots/epoch-line.ts'

test('a line has a gap where epochs are missing, and none between consecutive epochs', () => {
  assert.deepEqual(withGaps([91, 96, 97], [0, 5, 6]), { x: [91, 95.5, 96, 97], y: [0, null, 5, 6] })
  assert.deepEqual(withGaps([1, 2, 3], [1, null, 3]), { x: [1, 2, 3], y: [1, null, 3] })
})

test('a single point between gaps is detected', () => {
  assert.equal(hasLonePoint([0, null, 5, 6]), true)
  assert.equal(hasLonePoint([1, 2, null, 5, 6]), false)
})

test('an axis has the epochs of its line and no other', () => {
  assert.deepEqual(spanOf([91, 95.5, 96]), [91, 96])
  const [from, to] = spanOf([102])
  assert(from > 101 && to < 103, 'one epoch alone')
})
