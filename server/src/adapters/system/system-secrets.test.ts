import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../../../test/any-text.ts'
import { openSecrets } from './system-secrets.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const KEY = /^stk_[0-9A-Za-z]{46}$/
const PEPPER = 'a pepper for tests, and for nothing else'

const secrets = openSecrets({ keyPrefix: 'stk', pepper: PEPPER })

/** The χ² of one position against an even spread of the alphabet. */
function unevenness(texts: readonly string[], position: number, alphabet: string): number {
  const counts = new Map([...alphabet].map((character) => [character, 0]))
  for (const text of texts) {
    const character = text[position] ?? ''
    counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  assert.equal(counts.size, alphabet.length, 'no character is outside the alphabet')
  const expected = texts.length / alphabet.length
  return [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** A seeded source of bytes, so that the result of the χ² tests is deterministic. */
function repeatableBytes(seed: number) {
  let state = seed
  return (count: number) =>
    Uint8Array.from({ length: count }, () => {
      state = (state + 0x6d2b79f5) | 0
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
      return ((mixed ^ (mixed >>> 14)) >>> 11) & 0xff
    })
}

suite('API keys', () => {
  test('100,000 keys have the published form and a valid checksum, and no two are equal', () => {
    const keys = Array.from({ length: 100_000 }, () => secrets.newApiKey())
    for (const key of keys) assert(KEY.test(key) && secrets.isApiKey(key), key)
    assert.equal(new Set(keys).size, keys.length)
  })

  test('keys are found in a text whatever stands before, between and after them', () => {
    const random = openSecrets({ keyPrefix: 'stk', pepper: PEPPER, random: repeatableBytes(11) })
    const beside = fc.oneof(
      fc.string({ unit: fc.constantFrom(...BASE62, '_', '\\', '%') }),
      anyText(),
      fc
        .array(fc.constantFrom('stk_', 'st', 'stk', '_stk_', '\\n', '\\u0022', '%3d', 'key_', 'sk_'))
        .map((all) => all.join('')),
    )
    const property = fc.property(fc.array(beside, { minLength: 2, maxLength: 4 }), (texts) => {
      const keys = texts.slice(1).map(() => random.newApiKey())
      const text = texts.map((one, at) => one + (keys[at] ?? '')).join('')
      assert.deepEqual(random.apiKeysIn(text), new Set(keys), text)
      // Of a key that is cut off nothing is taken for a key.
      assert.deepEqual(random.apiKeysIn(`${(keys[0] ?? '').slice(0, -1)}_`), new Set())
    })
    fc.assert(property, { numRuns: 2_000 })
  })

  test('every random character is evenly spread (χ² at each of the 40 positions)', () => {
    const repeatable = openSecrets({ keyPrefix: 'stk', pepper: PEPPER, random: repeatableBytes(7) })
    const keys = Array.from({ length: 30_000 }, () => repeatable.newApiKey())
    for (let position = 4; position < 44; position += 1) {
      // With 61 degrees of freedom, χ² exceeds 100.9 once in a thousand; biased `byte % 62` would exceed 300.
      assert(unevenness(keys, position, BASE62) < 100.9, `position ${position}`)
    }
  })

  test('bytes that would bias the distribution are discarded', () => {
    const bytes = [248, 255, 0, 61, 62, 247]
    let taken = 0
    const inTurn = () => bytes[taken++ % bytes.length] ?? 0
    const fixed = openSecrets({
      keyPrefix: 'stk',
      pepper: PEPPER,
      random: (count) => Uint8Array.from({ length: count }, inTurn),
    })
    assert.equal(fixed.newApiKey().slice(4, 12), '0z0z0z0z')
  })

  test('every substitution of one character is refused', () => {
    const key = secrets.newApiKey()
    for (let position = 0; position < key.length; position += 1) {
      for (const character of `${BASE62}_-. é`) {
        if (character === key[position]) continue
        const wrong = key.slice(0, position) + character + key.slice(position + 1)
        assert.equal(secrets.isApiKey(wrong), false, wrong)
      }
    }
  })

  test('every swap of two neighbours is refused', () => {
    for (let round = 0; round < 200; round += 1) {
      const key = secrets.newApiKey()
      for (let position = 0; position + 1 < key.length; position += 1) {
        const [left, right] = [key[position], key[position + 1]]
        if (left === right) continue
        const wrong = `${key.slice(0, position)}${right}${left}${key.slice(position + 2)}`
        assert.equal(secrets.isApiKey(wrong), false, wrong)
      }
    }
  })

  test('any text that is not a key is refused', () => {
    const key = secrets.newApiKey()
    // A valid checksum, but invalid characters.
    const strange = 'stk_----------------------------------------0DLNXA'
    for (const text of [
      '',
      'stk_',
      key.slice(1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      strange,
    ]) {
      assert.equal(secrets.isApiKey(text), false, text)
    }
    fc.assert(fc.property(fc.string(), (text) => !secrets.isApiKey(text)))
    fc.assert(fc.property(fc.stringMatching(KEY), (text) => !secrets.isApiKey(text)))
  })

  test('a key with another prefix is refused', () => {
    const other = openSecrets({ keyPrefix: 'abc', pepper: PEPPER })
    const key = other.newApiKey()
    assert.equal(secrets.isApiKey(key), false)
    assert.equal(secrets.isApiKey(key.replace('abc', 'stk')), false)
  })
})

suite('tokens, codes and ids', () => {
  test('a token is 64 hex characters, a code 6 digits, an id letters and digits after its prefix', () => {
    for (let round = 0; round < 1_000; round += 1) {
      assert.match(secrets.newToken(), /^[0-9a-f]{64}$/)
      assert.match(secrets.newCode(), /^[0-9]{6}$/)
      assert.match(secrets.newAgentId(), /^agt_[0-9A-Za-z]{22}$/)
    }
  })

  test('each digit of a code is evenly spread', () => {
    const repeatable = openSecrets({ keyPrefix: 'stk', pepper: PEPPER, random: repeatableBytes(11) })
    const codes = Array.from({ length: 20_000 }, () => repeatable.newCode())
    for (let position = 0; position < 6; position += 1) {
      // With 9 degrees of freedom, χ² exceeds 27.9 once in a thousand.
      assert(unevenness(codes, position, '0123456789') < 27.9, `position ${position}`)
    }
  })
})

suite('digests', () => {
  test('the digest of a secret differs for each purpose and each pepper', () => {
    const other = openSecrets({ keyPrefix: 'stk', pepper: `${PEPPER}!` })
    const purposes = ['key', 'token', 'code', 'address'] as const
    const digests = [secrets, other].flatMap(({ digest }) => purposes.map((purpose) => digest(purpose, 'x')))
    assert.equal(new Set(digests).size, 8)
    for (const digest of digests) assert.match(digest, /^[0-9a-f]{64}$/)
  })

  test('a digest is the same after a restart', () => {
    const again = openSecrets({ keyPrefix: 'stk', pepper: PEPPER })
    assert.equal(again.digest('key', 'x'), secrets.digest('key', 'x'))
  })
})

suite('sealing', () => {
  test('a sealed text can be opened, also after a restart', () => {
    const again = openSecrets({ keyPrefix: 'stk', pepper: PEPPER })
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => again.open(secrets.seal(text)) === text))
  })

  test('the sealed form does not contain the text and differs each time', () => {
    const sealed = secrets.seal('the token is 1234')
    assert.doesNotMatch(Buffer.from(sealed, 'base64url').toString('latin1'), /token|1234/)
    assert.notEqual(sealed, secrets.seal('the token is 1234'))
  })

  test('a changed bit, a truncation or another pepper: opening fails', () => {
    const sealed = Buffer.from(secrets.seal('a text'), 'base64url')
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const wrong = Buffer.from(sealed)
      wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.throws(() => secrets.open(wrong.toString('base64url')))
    }
    for (let length = 0; length < sealed.length; length += 1) {
      assert.throws(() => secrets.open(sealed.subarray(0, length).toString('base64url')))
    }
    const other = openSecrets({ keyPrefix: 'stk', pepper: randomBytes(32).toString('hex') })
    assert.throws(() => other.open(sealed.toString('base64url')))
  })
})
