import type { ValidatorStatus } from '#ports/chain/staking-chain.ts'

type ValidatorFilters = {
  readonly search?: string | undefined
  readonly minScore?: number | undefined
  readonly maxCommission?: number | undefined
  readonly status?: ValidatorStatus | undefined
}

type Listed = {
  readonly id: string
  readonly name: string
  readonly score: number | null
  /** The higher one of the present and the announced rate. */
  readonly highestCommission: number
  readonly status: ValidatorStatus
}

/** Removes leading zeros, because some tools show ids without them. */
const shortId = (text: string): string => text.replace(/^0x0+(?=[0-9a-f])/, '0x')

/** Whether a validator passes; one without a score passes no `minScore`. */
export function passesFilters(
  { id, name, score, highestCommission, status }: Listed,
  { search, minScore, maxCommission = 1, status: wanted = status }: ValidatorFilters,
): boolean {
  if (status !== wanted || highestCommission > maxCommission) return false
  if (minScore !== undefined && (score === null || score < minScore)) return false
  if (search === undefined) return true
  const text = search.toLowerCase()
  return name.toLowerCase().includes(text) || id.includes(text) || shortId(id).startsWith(shortId(text))
}
