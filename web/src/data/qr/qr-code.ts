import { alignmentsOf, codeWords, sizeOf, versionFor } from './code-words.ts'
import { penaltyOf } from './penalty.ts'

/** Rows of dark (true) and light squares. */
type QrCode = readonly (readonly boolean[])[]

/** What is drawn, and which squares are patterns rather than data. */
type Sheet = { readonly dark: boolean[][]; readonly isPattern: boolean[][] }

/** A text as QR code; `undefined` where it is too long. With `mask` that mask is used, else the best one. */
export function qrCode(text: string, mask?: number): QrCode | undefined {
  const bytes = [...new TextEncoder().encode(text)]
  const version = versionFor(bytes.length)
  if (version === undefined) return undefined
  const sheet = emptySheet(sizeOf(version))
  drawPatterns(sheet, version)
  drawWords(sheet, codeWords(bytes, version))
  const masks = mask === undefined ? MASKS.map((_, index) => index) : [mask]
  const codes = masks.map((number) => masked(sheet, number))
  return codes.toSorted((a, b) => penaltyOf(a) - penaltyOf(b))[0]
}

const square = <T>(size: number, value: T): T[][] =>
  Array.from({ length: size }, () => Array.from({ length: size }, () => value))

const emptySheet = (size: number): Sheet => ({ dark: square(size, false), isPattern: square(size, false) })

function setPattern({ dark, isPattern }: Sheet, x: number, y: number, isDark: boolean): void {
  const [row, marks] = [dark[y], isPattern[y]]
  if (!row || !marks || x < 0 || x >= row.length) return
  row[x] = isDark
  marks[x] = true
}

function drawPatterns(sheet: Sheet, version: number): void {
  const size = sizeOf(version)
  for (let at = 0; at < size; at++) {
    setPattern(sheet, 6, at, at % 2 === 0)
    setPattern(sheet, at, 6, at % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(sheet, x, y, 4)
  const places = alignmentsOf(version)
  const last = places.at(-1)
  for (const x of places)
    for (const y of places) {
      const isCorner = (x === 6 && (y === 6 || y === last)) || (y === 6 && x === last)
      if (!isCorner) drawRings(sheet, x, y, 2)
    }
  if (version >= 7) drawVersion(sheet, version)
  drawFormat(sheet, 0)
}

/** Squares in squares: of the corners (4 wide, with their light rim) or of the alignment (2 wide). */
function drawRings(sheet: Sheet, centreX: number, centreY: number, width: number): void {
  for (let dy = -width; dy <= width; dy++)
    for (let dx = -width; dx <= width; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      const isLight = width === 4 ? ring === 2 || ring === 4 : ring === 1
      setPattern(sheet, centreX + dx, centreY + dy, !isLight)
    }
}

/** A number followed by what is left when it is divided: a code that survives some wrong bits. */
function withChecksum(value: number, bits: number, divisor: number): number {
  let rest = value
  for (let step = 0; step < bits; step++) rest = (rest << 1) ^ ((rest >> (bits - 1)) & 1 ? divisor : 0)
  return (value << bits) | (rest & ((1 << bits) - 1))
}

const bitOf = (value: number, bit: number): boolean => ((value >> bit) & 1) === 1

function drawVersion(sheet: Sheet, version: number): void {
  const size = sizeOf(version)
  const bits = withChecksum(version, 12, 0x1f25)
  for (let bit = 0; bit < 18; bit++) {
    const [far, near] = [size - 11 + (bit % 3), Math.floor(bit / 3)]
    setPattern(sheet, far, near, bitOf(bits, bit))
    setPattern(sheet, near, far, bitOf(bits, bit))
  }
}

/** Level (M is 0) and mask, written twice. */
function drawFormat(sheet: Sheet, mask: number): void {
  const size = sheet.dark.length
  const bits = withChecksum(mask, 10, 0x537) ^ 0x5412
  for (let bit = 0; bit < 15; bit++) {
    const isDark = bitOf(bits, bit)
    // The first copy goes around the corner, past the dotted lines.
    if (bit < 8) setPattern(sheet, 8, bit < 6 ? bit : bit + 1, isDark)
    else setPattern(sheet, bit === 8 ? 7 : 14 - bit, 8, isDark)
    if (bit < 8) setPattern(sheet, size - 1 - bit, 8, isDark)
    else setPattern(sheet, 8, size - 15 + bit, isDark)
  }
  setPattern(sheet, 8, size - 8, true)
}

/** Up and down in double columns from the right, around the patterns. */
function drawWords({ dark, isPattern }: Sheet, words: readonly number[]): void {
  const size = dark.length
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    // The column of the dotted line is left out.
    if (right === 6) right = 5
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const row = dark[isUpward ? size - 1 - step : step]
        if (!row || isPattern[isUpward ? size - 1 - step : step]?.[x]) continue
        row[x] = bitOf(words[bit >> 3] ?? 0, 7 - (bit & 7))
        bit += 1
      }
  }
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

function masked({ dark, isPattern }: Sheet, mask: number): QrCode {
  const turns = MASKS[mask] ?? (() => false)
  const sheet: Sheet = {
    dark: dark.map((row, y) => row.map((isDark, x) => isDark !== (!isPattern[y]?.[x] && turns(x, y)))),
    isPattern,
  }
  drawFormat(sheet, mask)
  return sheet.dark
}
