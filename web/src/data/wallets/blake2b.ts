/** BLAKE2b with 32 bytes of output (RFC 7693): the hash of Sui's addresses and of what its wallets sign. */

const WORD = 0xffff_ffff_ffff_ffffn
const BLOCK = 128
const ROUNDS = 12
const OUTPUT = 32

const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]

/** The order in which each round takes the words of the block; after ten rounds it begins again. */
const ORDERS = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
  [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
  [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
  [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
  [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
  [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
  [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
  [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
  [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
]

/** The words that are mixed together: the columns of the state, then its diagonals. */
const MIXES = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const

export function blake2b256(input: Uint8Array): Uint8Array<ArrayBuffer> {
  const state = BigUint64Array.from(IV)
  state[0] = at(state, 0) ^ BigInt(0x0101_0000 | OUTPUT)
  const blocks = Math.max(1, Math.ceil(input.length / BLOCK))
  for (let index = 0; index < blocks; index++) {
    const block = new Uint8Array(BLOCK)
    block.set(input.subarray(index * BLOCK, (index + 1) * BLOCK))
    const isLast = index === blocks - 1
    compress(state, block, BigInt(isLast ? input.length : (index + 1) * BLOCK), isLast)
  }
  const output = new DataView(new ArrayBuffer(OUTPUT))
  for (let index = 0; index < OUTPUT / 8; index++) output.setBigUint64(index * 8, at(state, index), true)
  return new Uint8Array(output.buffer)
}

function compress(state: BigUint64Array, block: Uint8Array, length: bigint, isLast: boolean): void {
  const view = new DataView(block.buffer)
  const words = BigUint64Array.from({ length: 16 }, (_, index) => view.getBigUint64(index * 8, true))
  const mixed = BigUint64Array.from([...state, ...IV])
  mixed[12] = at(mixed, 12) ^ length
  if (isLast) mixed[14] = at(mixed, 14) ^ WORD
  for (let round = 0; round < ROUNDS; round++) {
    const order = ORDERS[round % ORDERS.length] ?? []
    MIXES.forEach((places, index) => {
      mix(mixed, places, at(words, order[index * 2] ?? 0), at(words, order[index * 2 + 1] ?? 0))
    })
  }
  for (let index = 0; index < 8; index++)
    state[index] = at(state, index) ^ at(mixed, index) ^ at(mixed, index + 8)
}

function mix(v: BigUint64Array, [a, b, c, d]: (typeof MIXES)[number], x: bigint, y: bigint): void {
  v[a] = at(v, a) + at(v, b) + x
  v[d] = rotate(at(v, d) ^ at(v, a), 32n)
  v[c] = at(v, c) + at(v, d)
  v[b] = rotate(at(v, b) ^ at(v, c), 24n)
  v[a] = at(v, a) + at(v, b) + y
  v[d] = rotate(at(v, d) ^ at(v, a), 16n)
  v[c] = at(v, c) + at(v, d)
  v[b] = rotate(at(v, b) ^ at(v, c), 63n)
}

const at = (words: BigUint64Array, index: number): bigint => words[index] ?? 0n
const rotate = (word: bigint, by: bigint): bigint => ((word >> by) | (word << (64n - by))) & WORD
