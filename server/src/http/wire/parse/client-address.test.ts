import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { clientAddress } from './client-address.ts'

const byte = fc.nat(255)
const ipv4 = fc.tuple(byte, byte, byte, byte)
const groups = fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 })
const hex = (group: number) => group.toString(16)
const dotted = (bytes: readonly number[]) => bytes.join('.')

/** An address and a style of spelling it. */
const ipv6 = fc.tuple(groups, fc.constantFrom('full', 'padded', 'upper', 'dotted', 'short'))
function spell([address, style]: readonly [readonly number[], string]): string {
  if (style === 'full') return address.map(hex).join(':')
  if (style === 'padded') return address.map((group) => hex(group).padStart(4, '0')).join(':')
  if (style === 'upper') return address.map(hex).join(':').toUpperCase()
  const [g6 = 0, g7 = 0] = address.slice(6)
  if (style === 'dotted') {
    return `${address.slice(0, 6).map(hex).join(':')}:${dotted([g6 >> 8, g6 & 255, g7 >> 8, g7 & 255])}`
  }
  return address
    .map(hex)
    .join(':')
    .replace(/(^|:)0(:0)+(:|$)/, '::')
}
const isMapped = (address: readonly number[]) => address.slice(0, 6).join() === '0,0,0,0,0,65535'

suite('the address of a client', () => {
  test('an IPv6 address counts by its /64, in any spelling', () => {
    fc.assert(
      fc.property(ipv6, groups, ([address, style], other) => {
        fc.pre(!isMapped(address))
        const key = `${address.slice(0, 4).map(hex).join(':')}::/64`
        assert.equal(clientAddress(spell([address, style]), [], 0), key)
        const neighbour = [...address.slice(0, 4), ...other.slice(4)]
        fc.pre(!isMapped(neighbour))
        assert.equal(clientAddress(spell([neighbour, 'full']), [], 0), key)
      }),
      { numRuns: 10_000 },
    )
  })

  test('addresses with many zeros count by their /64, in any spelling', () => {
    const zeros = fc.array(fc.constantFrom(0, 0, 0, 1, 0xffff), { minLength: 8, maxLength: 8 })
    fc.assert(
      fc.property(zeros, fc.constantFrom('full', 'padded', 'dotted', 'short'), (address, style) => {
        fc.pre(!isMapped(address))
        const key = `${address.slice(0, 4).map(hex).join(':')}::/64`
        assert.equal(clientAddress(spell([address, style]), [], 0), key)
      }),
      { numRuns: 5_000 },
    )
  })

  test('an IPv4 address inside IPv6 is the IPv4 address, in either spelling', () => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        const [a, b, c, d] = bytes
        const address = dotted(bytes)
        const tail = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
        const spellings = [
          address,
          `::ffff:${address}`,
          `::FFFF:${tail}`,
          `0:0:0:0:0:ffff:${tail}`,
          `::ffff:${address}%eth0`,
        ]
        for (const spelled of spellings) assert.equal(clientAddress(spelled, [], 0), address, spelled)
      }),
      { numRuns: 5_000 },
    )
  })

  test('a zone is not part of the address', () => {
    assert.equal(clientAddress('fe80::1%eth0', [], 0), clientAddress('fe80::2', [], 0))
    assert.equal(clientAddress('fe80::1%', [], 0), 'fe80:0:0:0::/64')
  })

  test('a missing or unreadable address counts as the client "unknown"', () => {
    for (const nothing of [undefined, '', 'x', '1.2.3', '::ffff:1.2.3.4.5', '[::1]', '%', '1.2.3.4%eth0']) {
      assert.equal(clientAddress(nothing, [], 0), 'unknown', String(nothing))
    }
  })
})

suite('X-Forwarded-For', () => {
  const PROXY = '10.0.0.1'
  const junk = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('unknown', '_hidden', '1.2.3.4', '[::1]:80', '::1', '"1.1.1.1"', ' ', ',,,', '127.0.0.1'),
  )

  test('is ignored if no proxy is configured', () => {
    fc.assert(
      fc.property(fc.array(junk), (lines) => {
        assert.equal(clientAddress('198.51.100.7', lines, 0), '198.51.100.7')
      }),
    )
  })

  test('entries sent by the client itself never change its key', () => {
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 200 }), fc.boolean(), (spoofed, ownLine) => {
        const lines = ownLine ? [...spoofed, '198.51.100.7'] : [[...spoofed, '198.51.100.7'].join(', ')]
        assert.equal(clientAddress(PROXY, lines, 1), '198.51.100.7')
        const behindTwo = ownLine
          ? [...spoofed, '198.51.100.7, 10.0.0.2']
          : [[...spoofed, '198.51.100.7', '10.0.0.2'].join(',')]
        assert.equal(clientAddress(PROXY, behindTwo, 2), '198.51.100.7')
      }),
      { numRuns: 3_000 },
    )
  })

  const table: readonly (readonly [readonly string[], number, string])[] = [
    [[], 1, PROXY],
    [['198.51.100.7'], 1, '198.51.100.7'],
    [['198.51.100.7'], 2, '198.51.100.7'],
    [['203.0.113.9, 198.51.100.7'], 1, '198.51.100.7'],
    [['203.0.113.9, 198.51.100.7'], 2, '203.0.113.9'],
    [['203.0.113.9', '198.51.100.7'], 2, '203.0.113.9'],
    [['198.51.100.7:4711'], 1, '198.51.100.7'],
    [['[2001:db8::1]:443'], 1, '2001:db8:0:0::/64'],
    [['[2001:db8::1]'], 1, '2001:db8:0:0::/64'],
    [['"[2001:db8::1]:443"'], 1, '2001:db8:0:0::/64'],
    [['2001:db8::1'], 1, '2001:db8:0:0::/64'],
    [['::ffff:198.51.100.7'], 1, '198.51.100.7'],
    [['  198.51.100.7  '], 1, '198.51.100.7'],
    [['unknown'], 1, PROXY],
    [['203.0.113.9, unknown'], 2, PROXY],
    [['unknown, 198.51.100.7'], 2, '198.51.100.7'],
    [[''], 1, PROXY],
    [['198.51.100.7,'], 1, PROXY],
  ]
  for (const [lines, hops, key] of table) {
    test(`${JSON.stringify(lines)} behind ${hops}: ${key}`, () => {
      assert.equal(clientAddress(PROXY, lines, hops), key)
    })
  }
})
