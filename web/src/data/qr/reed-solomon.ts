/** Powers of 2 in the field of 256 elements that QR codes count in, and their logarithms. */
const POWERS = new Uint8Array(255)
const LOGARITHMS = new Uint8Array(256)
for (let exponent = 0, value = 1; exponent < 255; exponent++) {
  POWERS[exponent] = value
  LOGARITHMS[value] = exponent
  value = (value << 1) ^ (value > 127 ? 0x11d : 0)
}

function multiply(a: number, b: number): number {
  if (a === 0 || b === 0) return 0
  return POWERS[((LOGARITHMS[a] ?? 0) + (LOGARITHMS[b] ?? 0)) % 255] ?? 0
}

/** The polynomial whose roots are the first `degree` powers of 2, without its leading 1. */
function generator(degree: number): readonly number[] {
  let factors = [1]
  for (let root = 0; root < degree; root++) {
    const power = POWERS[root] ?? 0
    factors = [...factors, 0].map((factor, index) => factor ^ multiply(factors[index - 1] ?? 0, power))
  }
  return factors.slice(1)
}

/** As many words as repair a block: what is left when the block is divided by the generator. */
export function repairWords(block: readonly number[], count: number): readonly number[] {
  const factors = generator(count)
  let rest: readonly number[] = Array.from({ length: count }, () => 0)
  for (const word of block) {
    const first = word ^ (rest[0] ?? 0)
    rest = factors.map((factor, index) => (rest[index + 1] ?? 0) ^ multiply(factor, first))
  }
  return rest
}
