import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalJson } from './canonical-json.ts'

test('the examples of RFC 8785 give the output printed in the RFC', () => {
  const example = {
    numbers: [333_333_333.333_333_3, 1e30, 4.5, 2e-3, 1e-27],
    string: '\u20ac$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  }
  assert.equal(
    canonicalJson(example),
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  )
  const sorted = {
    '\u20ac': 'Euro Sign',
    '\r': 'Carriage Return',
    '\ufb33': 'Hebrew Letter Dalet With Dagesh',
    '1': 'One',
    '\ud83d\ude00': 'Emoji: Grinning Face',
    '\u0080': 'Control',
    '\u00f6': 'Latin Small Letter O With Diaeresis',
  }
  assert.deepEqual(
    Object.values(JSON.parse(canonicalJson(sorted))).toSorted(),
    Object.values(sorted).toSorted(),
  )
  const order = [...canonicalJson(sorted).matchAll(/:"([^"]*)"/g)].map(([, name]) => name)
  assert.deepEqual(order, [
    'Carriage Return',
    'One',
    'Control',
    'Latin Small Letter O With Diaeresis',
    'Euro Sign',
    'Emoji: Grinning Face',
    'Hebrew Letter Dalet With Dagesh',
  ])
})

test('numbers are written as listed in appendix B of RFC 8785', () => {
  const rows: readonly (readonly [bits: string, text: string])[] = [
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
  ]
  for (const [bits, text] of rows) {
    const number = Buffer.from(bits, 'hex').readDoubleBE()
    assert.equal(canonicalJson(number), text, bits)
  }
})

test('NaN, infinity, lone surrogates and undefined outside members throw a TypeError', () => {
  for (const wrong of [
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '\ud800',
    { '\udc00': 1 },
    undefined,
    [1, undefined],
  ]) {
    assert.throws(() => canonicalJson(wrong), TypeError)
  }
})

test('names are sorted at every depth, lists are not, and undefined members are left out', () => {
  const value = { b: [{ d: null, c: true }, 3, 1], a: undefined, A: 1e21, '': -0 }
  assert.equal(canonicalJson(value), '{"":0,"A":1e+21,"b":[{"c":true,"d":null},3,1]}')
})
