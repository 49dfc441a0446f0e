import { repairWords } from './reed-solomon.ts'

/** By version, from 1: words that repair a block, and blocks; at level M, which repairs 15 percent (ISO/IEC 18004). */
const BLOCKS: readonly (readonly [repair: number, blocks: number])[] = [
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
  [28, 10],
  [28, 11],
  [26, 13],
  [26, 14],
  [26, 16],
]

export const sizeOf = (version: number): number => 17 + 4 * version

/** Where the small squares stand that tell a reader how the code is bent: in each row and column of these. */
export function alignmentsOf(version: number): readonly number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2
  const last = sizeOf(version) - 7
  return [6, ...Array.from({ length: count - 1 }, (_, index) => last - (count - 2 - index) * step)]
}

/** Words that fit beside all patterns. */
function wordsOf(version: number): number {
  const size = sizeOf(version)
  const small = alignmentsOf(version).length
  const alignment = small === 0 ? 0 : 25 * (small ** 2 - 3) - 10 * (small - 2)
  const patterns = 3 * 64 + 2 * (size - 16) + 31 + alignment + (version >= 7 ? 36 : 0)
  return Math.floor((size ** 2 - patterns) / 8)
}

const blocksOf = (version: number) => BLOCKS[version - 1] ?? ([0, 1] as const)
const countBits = (version: number): number => (version < 10 ? 8 : 16)

function dataWordsOf(version: number): number {
  const [repair, blocks] = blocksOf(version)
  return wordsOf(version) - repair * blocks
}

/** The smallest version that holds so many bytes; `undefined`: they are too many. */
export function versionFor(bytes: number): number | undefined {
  return BLOCKS.map((_, index) => index + 1).find(
    (version) => Math.ceil((4 + countBits(version)) / 8 + bytes) <= dataWordsOf(version),
  )
}

/** What the code says, as words with those that repair them, in the order in which they are drawn. */
export function codeWords(bytes: readonly number[], version: number): readonly number[] {
  const [repair, blockCount] = blocksOf(version)
  const data = dataWords(bytes, version)
  const short = Math.floor(data.length / blockCount)
  const shortBlocks = blockCount - (data.length % blockCount)
  const blocks = Array.from({ length: blockCount }, (_, index) => {
    const start = index * short + Math.max(0, index - shortBlocks)
    return data.slice(start, start + short + (index < shortBlocks ? 0 : 1))
  })
  return [...interleave(blocks), ...interleave(blocks.map((block) => repairWords(block, repair)))]
}

function dataWords(bytes: readonly number[], version: number): readonly number[] {
  const bits = [
    '0100',
    bytes.length.toString(2).padStart(countBits(version), '0'),
    ...bytes.map((byte) => byte.toString(2).padStart(8, '0')),
    '0000',
  ].join('')
  const words = (bits.match(/.{1,8}/g) ?? []).map((word) => Number.parseInt(word.padEnd(8, '0'), 2))
  const count = dataWordsOf(version)
  const filling = Array.from({ length: Math.max(0, count - words.length) }, (_, index) =>
    index % 2 === 0 ? 0xec : 0x11,
  )
  return [...words, ...filling].slice(0, count)
}

/** The first word of each block, then the second of each. */
function interleave(blocks: readonly (readonly number[])[]): readonly number[] {
  const longest = Math.max(...blocks.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) =>
    blocks.flatMap((block) => (index < block.length ? [block[index] ?? 0] : [])),
  ).flat()
}
