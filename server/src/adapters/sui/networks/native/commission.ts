import { present, toBasisPoints } from '../../layouts/decode.ts'

export function commissionOf(rate: bigint | undefined, address: string): number {
  const what = `the commission of ${address}`
  return toBasisPoints(present(rate, what), what)
}
