import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { matchesEtag } from './etag.ts'

const opaque = fc.stringMatching(/^[a-z0-9,* ;/=-]{0,12}$/).map((text) => `"${text.replaceAll(' ', '_')}"`)
const spelling = fc.tuple(fc.constantFrom('', 'W/'), opaque)

suite('If-None-Match', () => {
  test('a list matches exactly when it has the tag, weak or not', () => {
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

  test('a star matches whatever there is', () => {
    for (const star of ['*', ' * ', '*\t']) assert.equal(matchesEtag(star, '"a"'), true)
  })

  test('nothing sent, nothing matched', () => {
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
    test(`garbage is not believed: ${JSON.stringify(header)}`, () => {
      assert.equal(matchesEtag(header, '"a"'), false)
    })
  }

  test('a list is believed up to its first mistake', () => {
    assert.equal(matchesEtag('"a", x, "b"', '"a"'), true)
    assert.equal(matchesEtag('"a", x, "b"', '"b"'), false)
  })

  test('any text is answered, and only a text that contains the tag or is a star matches', () => {
    fc.assert(
      fc.property(fc.string(), opaque, (header, etag) => {
        if (matchesEtag(header, etag)) assert.ok(header.includes(etag) || header.trim() === '*')
      }),
      { numRuns: 5_000 },
    )
  })
})
