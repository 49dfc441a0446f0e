import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genericView } from './generic-view.ts'
import type { Style } from './style.ts'

const PLAIN = { columns: 100, paint: (_: string, text: string) => text } as Style

test('a list too long for its cell is shown as a count, sentences get a line each, and nothing is JSON', () => {
  const epochs = Array.from({ length: 40 }, (_, epoch) => ({ epoch, apy: epoch / 7 }))
  const answer = {
    scopes: ['read', 'build'],
    nothing: [],
    assumptions: ['Every epoch pays as the last one did, and nobody else moves.', 'Fees stay as they are.'],
    results: [
      { horizon: 1, epochs, range: { low: 1, high: 2 } },
      { horizon: 7, epochs: [1, 2], range: null },
    ],
  }
  const text = genericView(answer, PLAIN)
  assert.doesNotMatch(text, /[[\]{}"]/)
  assert.match(text, /^scopes {3}read, build$/m)
  assert.match(text, /^Fees stay as they are\.$/m)
  assert.match(text, /^ *1 +40 \(--json\) +low 1, high 2$/m)
  assert(text.split('\n').every((line) => line.length <= 100))
})
