import { LIMITS } from '@stakewright/contract/limits'
import { readChainId, readUnits } from '../address/read-parts.ts'

/** A part of a split: a stake that is not built yet. */
export type SplitPart = { readonly validatorId: string; readonly amount: bigint }

/** Query parameter of the sandbox page. */
export const SPLIT_PARAMETER = 'split'
const [BETWEEN_PARTS, BEFORE_AMOUNT] = ['_', '-']

/** The address of the sandbox page that offers to stake a split. */
export const sandboxAddress = (
  split: readonly { readonly validatorId: string; readonly amount: string }[],
): string =>
  `/sandbox?${SPLIT_PARAMETER}=${split.map(({ validatorId, amount }) => `${validatorId}${BEFORE_AMOUNT}${amount}`).join(BETWEEN_PARTS)}`

/** Undefined unless every part can be read, and one transaction can stake them all. */
export function readSplit(text: string): readonly SplitPart[] | undefined {
  const parts = text.split(BETWEEN_PARTS).map(readPart)
  const read = parts.filter((part) => part !== undefined)
  return read.length === parts.length && read.length <= LIMITS.batchItems ? read : undefined
}

function readPart(text: string): SplitPart | undefined {
  const [id = '', units = '', ...more] = text.split(BEFORE_AMOUNT)
  const validatorId = readChainId(id)
  const amount = readUnits(units)
  return validatorId && amount && more.length === 0 ? { validatorId, amount } : undefined
}
