import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('names are ordered by their code units at every depth, and nothing else is', () => {
  const value = {
    '\ufb33': 1,
    '\u{1f600}': 2,
    b: [{ d: null, c: true }, 3, 1],
    a: undefined,
    A: 1e21,
    '': -0,
  }
  assert.equal(
    canonicalJson(value),
    '{"":0,"A":1e+21,"b":[{"c":true,"d":null},3,1],"\u{1f600}":2,"\ufb33":1}',
  )
  assert.equal(canonicalJson('\u20ac$\u000f\n"\\/'), '"\u20ac$\\u000f\\n\\"\\\\/"')
  assert.throws(() => canonicalJson({ a: Number.NaN }), TypeError)
})
