import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Fault } from '../../../fault.ts'
import { parseStrictJson } from './strict-json.ts'

const DEPTH = 32
const parse = (text: string) => parseStrictJson(Buffer.from(text), DEPTH)
const isRefusal = (error: unknown) => error instanceof Fault && error.code === 'invalid_input'
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

const REFUSED: Readonly<Record<string, string | Uint8Array>> = {
  // Not JSON
  empty: '',
  'only space': ' ',
  'two values': '1 2',
  'trailing comma in a list': '[1,]',
  'trailing comma in an object': '{"a":1,}',
  'missing comma': '[1 2]',
  'missing colon': '{"a" 1}',
  'missing value': '{"a":}',
  'missing key': '{:1}',
  'bare key': '{a:1}',
  'single quotes': "{'a':1}",
  'number as key': '{1:1}',
  'open list': '[1',
  'open object': '{"a":1',
  'open string': '"abc',
  'string that ends with a backslash': '"abc\\',
  'closed too often': '[]]',
  'crossed brackets': '[{]}',
  comment: '[1/* one */]',
  'line comment': '[1] // one',
  'upper-case literal': '[True]',
  undefined: 'undefined',
  NaN: '[NaN]',
  Infinity: '[Infinity]',
  '-Infinity': '[-Infinity]',
  'plus sign': '[+1]',
  'leading zero': '[01]',
  'leading point': '[.5]',
  'trailing point': '[5.]',
  'open exponent': '[1e]',
  hexadecimal: '[0x1f]',
  separators: '[1_000]',
  'big integer literal': '[1n]',
  'raw line break in a string': '"a\nb"',
  'raw tab in a string': '"a\tb"',
  'raw NUL in a string': '"a\0b"',
  'NUL after the value': '1\0',
  'NUL in a string, escaped': '"a\\u0000b"',
  'unknown escape': '"\\x41"',
  'short unicode escape': '"\\u12"',
  'vertical tab as space': '\u000b1',
  'no-break space as space': '\u00a01',
  'line separator as space': '\u20281',

  // JSON that parsers read differently
  'key twice': '{"a":1,"a":2}',
  'key twice with the same value': '{"a":1,"a":1}',
  'key twice, once escaped': '{"a":1,"\\u0061":2}',
  'empty key twice': '{"":1,"":2}',
  'key twice, deep inside': '[{"b":{"c":[{"a":1,"x":{},"a":2}]}}]',
  'number-like key twice': '{"1":1,"1":2}',
  __proto__: '{"__proto__":{"admin":true}}',
  'escaped __proto__': '{"\\u005f_proto__":1}',
  'inner __proto__': '[{"a":{"__proto__":null}}]',
  constructor: '{"constructor":{"prototype":{}}}',
  prototype: '{"prototype":1}',
  '1e400': '[1e400]',
  '-1e400': '{"a":-1e400}',
  '2^53': '[9007199254740992]',
  '2^53 + 1': '[9007199254740993]',
  '-2^53': '[-9007199254740992]',
  '1e30': '[1e30]',
  '2^64': '[18446744073709551616]',
  'half of a pair, escaped': '"\\ud83d"',
  'other half of a pair, escaped': '"\\ude00"',
  'pair the wrong way round': '"\\ude00\\ud83d"',
  'half of a pair in a key': '{"\\ud83d":1}',
  'half of a pair at the end': '["a\\ud83d"]',
  'byte order mark': '\ufeff{}',
  '33 deep': nested(33),
  '33 deep in objects': `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  '100 KB of brackets': '['.repeat(102_400),
  '100 KB of braces': '{"a":'.repeat(20_000),

  // Not UTF-8
  'lone continuation byte': Buffer.from([0x22, 0x80, 0x22]),
  'open sequence': Buffer.from([0x22, 0xc3, 0x22]),
  'overlong slash': Buffer.from([0x22, 0xc0, 0xaf, 0x22]),
  'surrogate in UTF-8': Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  'past the last character': Buffer.from([0x22, 0xf4, 0x90, 0x80, 0x80, 0x22]),
  'latin 1': Buffer.from('"é"', 'latin1'),
  'UTF-16 with mark': Buffer.from('\ufeff{}', 'utf16le'),
  'UTF-16 without mark': Buffer.from('{}', 'utf16le'),
}

const ACCEPTED: Readonly<Record<string, string>> = {
  object: '{"a":1,"b":[true,false,null],"c":{"a":2}}',
  'same key in other objects': '[{"a":1},{"a":2},{"b":{"a":3}}]',
  'text that looks like keys': '{"a":"\\"a\\":1,\\"a\\":2","b":"{:[}"}',
  'backslashes before a quote': '{"a":"\\\\","b":"\\\\\\"","c":"\\\\\\\\"}',
  'brackets in text': JSON.stringify({ a: '['.repeat(100) }),
  'forbidden names as values': '["__proto__","constructor","prototype"]',
  'names that only look forbidden': '{"proto":1,"__PROTO__":2,"constructors":3,"toString":4}',
  'largest exact integer': '[9007199254740991,-9007199254740991]',
  fractions: '[0.1,-0.5,1e-7,1.5e10,0,-0,1e-400]',
  'whole characters': '"é€😀\\ud83d\\ude00\\u0001"',
  'byte order mark in text': '"\ufeff"',
  spaces: ' \t\r\n{ "a" : [ ] } ',
  'bare values': '"a"',
  '32 deep': nested(32),
  'many lists beside each other': `[${'[],'.repeat(1_000)}[]]`,
  'empty key': '{"":1}',
}

suite('strict JSON', () => {
  for (const [name, text] of Object.entries(REFUSED)) {
    test(`refused: ${name}`, () => {
      assert.throws(() => parseStrictJson(Buffer.from(text), DEPTH), isRefusal)
    })
  }

  for (const [name, text] of Object.entries(ACCEPTED)) {
    test(`accepted: ${name}`, () => assert.deepEqual(parse(text), JSON.parse(text)))
  }

  test('a refusal names the key of an inexact number only in the form that the application gives', () => {
    const parse = (shownKey?: (key: string) => string | undefined) =>
      parseStrictJson(Buffer.from('{"a":{"key":12345678901234567890}}'), 32, 'refused', shownKey)
    assert.throws(() => parse(), /^Fault: A number of the body is too large/)
    assert.throws(() => parse(() => undefined), /^Fault: A number of the body is too large/)
    assert.throws(() => parse((key) => key.toUpperCase()), /^Fault: The number `KEY` is too large/)
  })

  test('any serializable value without forbidden keys or inexact integers is parsed as by JSON.parse', () => {
    const key = fc
      .string({ unit: 'grapheme' })
      .filter((name) => !['__proto__', 'constructor', 'prototype'].includes(name))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string({ unit: 'grapheme' }),
        fc.maxSafeInteger(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n)),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
      ),
    }))
    fc.assert(
      fc.property(value, fc.nat(4), (sent, indent) => {
        assert.deepEqual(parse(JSON.stringify(sent, null, indent)), JSON.parse(JSON.stringify(sent)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a repeated key is refused at any depth', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 5 })
    fc.assert(
      fc.property(
        object,
        fc.nat(),
        fc.jsonValue({ maxDepth: 1 }),
        fc.nat(10),
        (members, pick, second, depth) => {
          const entries = Object.entries(members)
          const [key = ''] = entries[pick % entries.length] ?? []
          const texts = [...entries, [key, second] as const].map(
            ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
          )
          const text = `${'[{"x":'.repeat(depth)}{${texts.join(',')}}${'}]'.repeat(depth)}`
          assert.throws(() => parse(text), isRefusal)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('100,000 mutated texts: each is refused with a Fault, or parsed as by JSON.parse', () => {
    const seeds = [...Object.values(ACCEPTED), ...Object.values(REFUSED)].map((text) =>
      Buffer.from(text).subarray(0, 300),
    )
    const alphabet = Buffer.from('{}[]":,\\/ue01-+.nft \u0000\ud83d\ufeff__proto__')
    const random = fc.sample(fc.nat(2 ** 31 - 1), { numRuns: 4_096, seed: 20_260_101 })
    let at = 0
    const next = (below: number) => (random[at++ % random.length] ?? 0) % below
    for (let run = 0; run < 100_000; run++) {
      // 7 does not divide the pool's size, so that runs start at different positions.
      at = run * 7
      const bytes = Buffer.from(seeds[next(seeds.length)] ?? '')
      for (let change = next(4); change >= 0 && bytes.length > 0; change--) {
        bytes[next(bytes.length)] = alphabet[next(alphabet.length)] ?? 0
      }
      try {
        assert.deepEqual(parseStrictJson(bytes, DEPTH), JSON.parse(bytes.toString()))
      } catch (error) {
        assert.ok(isRefusal(error), String(error))
      }
    }
  })
})
