import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../../fault.ts'
import { parseQuery } from './query.ts'

const plain = (target: string) => ({ ...parseQuery(target) })

suite('the query', () => {
  test('reads what URLSearchParams writes', () => {
    const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(pairs, (list) => {
        const query = parseQuery(`/path?${new URLSearchParams(list)}`)
        const expected = Map.groupBy(list, ([name]) => name)
        assert.equal(Object.keys(query).length, expected.size)
        for (const [name, entries] of expected) {
          const values = entries.map(([, value]) => value)
          assert.deepEqual(query[name], values.length === 1 ? values[0] : values)
        }
      }),
    )
  })

  test('a name without a value has an empty one; empty pairs are ignored', () => {
    assert.deepEqual(plain('/a?b&c=&&=d&'), { b: '', c: '', '': 'd' })
    for (const none of ['/a', '/a?', '/a?&']) assert.deepEqual(plain(none), {})
  })

  test('a repeated name has the list of its values', () => {
    assert.deepEqual(plain('/a?b=1&c=2&b=3&b=4'), { b: ['1', '3', '4'], c: '2' })
  })

  test('names of object properties such as __proto__ are plain entries', () => {
    const query = parseQuery('/a?__proto__=1&constructor=2&toString=3')
    assert.deepEqual(Object.keys(query), ['__proto__', 'constructor', 'toString'])
    assert.equal(Object.getPrototypeOf(query), null)
    assert.equal(parseQuery('/a')['toString'], undefined)
  })

  for (const broken of ['%', '%z', '%zz', '%C3', '%ED%A0%80', '%C0%AF', 'a%', '%2']) {
    test(`refused: ${broken}`, () => {
      const isRefusal = (error: unknown) => error instanceof Fault && error.code === 'invalid_input'
      assert.throws(() => parseQuery(`/a?b=${broken}`), isRefusal)
      assert.throws(() => parseQuery(`/a?${broken}=b`), isRefusal)
    })
  }
})
