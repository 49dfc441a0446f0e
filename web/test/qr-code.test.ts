import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { qrCode } from '../src/plots/qr-code.ts'

const URI =
  'otpauth://totp/Stakewright:root%40example.com?issuer=Stakewright&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30'

const rowsOf = (text: string, mask?: Parameters<typeof qrCode>[1]) =>
  (qrCode(text, mask) ?? []).map((row) => row.map((isDark) => (isDark ? '#' : '.')).join(''))

test('a short text gives the code that the standard specifies', () => {
  assert.deepEqual(rowsOf('Stake', 0), [
    '#######...###.#######',
    '#.....#.#..#..#.....#',
    '#.###.#...#.#.#.###.#',
    '#.###.#..##...#.###.#',
    '#.###.#.#...#.#.###.#',
    '#.....#.....#.#.....#',
    '#######.#.#.#.#######',
    '.........#.##........',
    '#.#.#.#..###....#..#.',
    '.#.#.#.##.#...#.....#',
    '.#..#.####..#...#.###',
    '###.#....##...#.....#',
    '#.#.######..#.#.#...#',
    '........####.#.#.#...',
    '#######..#.#.###.####',
    '#.....#....###.##....',
    '#.###.#.##.#.###...##',
    '#.###.#..##...##.###.',
    '#.###.#.#...#...##..#',
    '#.....#...#...#....#.',
    '#######.#...#.###..##',
  ])
})

/** Codes that npm's `qrcode` 1.5 draws of the same texts, in bytes, at level M: side, mask and hash of its rows. */
const ELSEWHERE = [
  [URI, 49, 3, '99f2bb482f198fb91c0fba4e5f5d2cf82c5b15d44b4271032687e3575b0f9db1'],
  [
    URI.replace('root', 'a'.repeat(200)),
    73,
    2,
    '9201af7687e9a9e9c7b5d3486fbe38efa4005da682274d928836fde545d4d707',
  ],
] as const

test('codes of authenticator secrets equal those of another program', () => {
  for (const [text, side, mask, hash] of ELSEWHERE) {
    const rows = rowsOf(text, mask)
    assert.equal(rows.length, side)
    assert.equal(createHash('sha256').update(rows.join('\n')).digest('hex'), hash)
  }
})

test('the encoder chooses one of the eight masks, and a text too long for any code gives undefined', () => {
  const masks = ([0, 1, 2, 3, 4, 5, 6, 7] as const).map((mask) => rowsOf(URI, mask).join('\n'))
  assert(masks.includes(rowsOf(URI).join('\n')))
  assert.equal(qrCode('a'.repeat(2_331))?.length, 177)
  assert.equal(qrCode('a'.repeat(2_332)), undefined)
})
