/** Move VM semantics: unsigned integers of 64 and 128 bits that abort on overflow, and transactions that abort. */

/** Aborts a call. `module` and `code` are those of the contract, or `ARITHMETIC` with the VM's own status. */
export class MoveAbort extends Error {
  readonly module: string
  readonly code: number

  constructor(module: string, code: number) {
    super(`${module} ${code}`)
    this.name = 'MoveAbort'
    this.module = module
    this.code = code
  }
}

export function check(condition: boolean, module: string, code: number): asserts condition {
  if (!condition) throw new MoveAbort(module, code)
}

export const ARITHMETIC = 'arithmetic'

const fits = (value: bigint, bits: bigint): bigint => {
  check(value >= 0n && value < 1n << bits, ARITHMETIC, 4017)
  return value
}

export const u64 = (value: bigint): bigint => fits(value, 64n)
export const u128 = (value: bigint): bigint => fits(value, 128n)

export const add = (a: bigint, b: bigint): bigint => u64(a + b)
export const subtract = (a: bigint, b: bigint): bigint => u64(a - b)
export const multiply = (a: bigint, b: bigint): bigint => u64(a * b)

/** Truncates. */
export function divide(a: bigint, b: bigint): bigint {
  check(b !== 0n, ARITHMETIC, 4017)
  return a / b
}

/** `a · b / c` with a product of 128 bits and a quotient that must fit 64 again. */
export const scale = (a: bigint, b: bigint, c: bigint): bigint => u64(divide(u128(a * b), c))
