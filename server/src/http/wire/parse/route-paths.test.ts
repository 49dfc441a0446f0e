import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { listRoutePaths } from './route-paths.ts'

const paths = listRoutePaths<string>()
for (const template of ['/', '/a', '/a/b', '/a/{x}', '/a/{x}/c', '/a/{x}/{y}', '/{z}'])
  paths.add('GET', template, template)
paths.add('POST', '/a/{x}', 'post')

const found = (url: string, method = 'GET') => {
  const result = paths.find(method, url)
  return result.kind === 'found' ? [result.target, { ...result.params }] : result.kind
}

suite('route paths', () => {
  test('a path without parameters takes precedence over one with parameters', () => {
    assert.deepEqual(found('/a/b'), ['/a/b', {}])
    assert.deepEqual(found('/a/b?c=/d'), ['/a/b', {}])
    assert.deepEqual(found('/a/b', 'POST'), ['post', { x: 'b' }])
    assert.deepEqual(found('/%61'), ['/a', {}])
  })

  test('any encoded text in a parameter is decoded into that parameter alone', () => {
    const part = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.isWellFormed())
    fc.assert(
      fc.property(part, part, (x, y) => {
        fc.pre(x !== 'c' && y !== 'c')
        const target = `/a/${encodeURIComponent(x)}/${encodeURIComponent(y)}`
        assert.deepEqual(found(target), ['/a/{x}/{y}', { x, y }])
        assert.deepEqual(found(`${target}?q=1/2`), ['/a/{x}/{y}', { x, y }])
      }),
    )
  })

  test('case and slashes count, and no parameter is empty', () => {
    for (const url of ['/A/b/', '/a/', '/a//c', '//', '/a/b/c/d', ''])
      assert.equal(found(url), 'missing', url)
    assert.deepEqual(found('/A'), ['/{z}', { z: 'A' }])
  })

  test('braces in a path and __proto__ are plain values of parameters', () => {
    assert.deepEqual(found('/a/{x}'), ['/a/{x}', { x: '{x}' }])
    assert.deepEqual(found('/__proto__'), ['/{z}', { z: '__proto__' }])
  })

  test('malformed percent-encoding is unreadable, not missing', () => {
    for (const url of ['/%', '/a/%zz', '/x/y/z/%C3']) assert.equal(found(url), 'unreadable', url)
  })
})
