import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { matchesEtag } from './etag.ts'

const opaque = fc.stringMatching(/^[a-z0-9,* ;/=-]{0,12}$/).map((text) => `"${text.replaceAll(' ', '_')}"`)
const spelling = fc.tuple(fc.constantFrom('', 'W/'), opaque)

suite('If-None-Match', () => {
  test('a list matches if and only if it has the tag, weak or strong', () => {
    const separator = fc.constantFrom(',', ', ', ' ,\t', ',,', ' , , ')
    fc.assert(
      fc.property(fc.array(spelling, { maxLength: 8 }), separator, opaque, (list, between, etag) => {
        const header = list.map(([weak, tag]) => weak + tag).join(between)
        const expected = list.some(([, tag]) => tag === etag)
        assert.equal(matchesEtag(header, etag), expected)
        assert.equal(matchesEtag(header, `W/${etag}`), expected)
      }),
    )
  })

  test('a star matches any tag', () => {
    for (const star of ['*', ' * ', '*\t']) assert.equal(matchesEtag(star, '"a"'), true)
  })

  test('a missing or empty header matches nothing', () => {
    for (const nothing of [undefined, '', ' ', ',', ', ,']) assert.equal(matchesEtag(nothing, '"a"'), false)
  })

  const garbage = [
    'a',
    '"a',
    'a"',
    "'a'",
    '""a""',
    'w/"a"',
    'W/ "a"',
    'W"a"',
    '*, "b"',
    '"b" "a"',
    '"b"; "a"',
    'x, "a"',
    '"b"x, "a"',
    '"a b"',
    '"A"',
    '"a "',
    '\u0000"a"',
  ]
  for (const header of garbage) {
    test(`malformed header, no match: ${JSON.stringify(header)}`, () => {
      assert.equal(matchesEtag(header, '"a"'), false)
    })
  }

  test('a list is read up to its first syntax error', () => {
    assert.equal(matchesEtag('"a", x, "b"', '"a"'), true)
    assert.equal(matchesEtag('"a", x, "b"', '"b"'), false)
  })

  test('any text is parsed without an error, and matches only if it contains the tag or is a star', () => {
    fc.assert(
      fc.property(fc.string(), opaque, (header, etag) => {
        if (matchesEtag(header, etag)) assert.ok(header.includes(etag) || header.trim() === '*')
      }),
      { numRuns: 5_000 },
    )
  })
})
