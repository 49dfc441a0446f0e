import { useAsk } from '../asking/ask.ts'
import { type HeldToken, readHolding } from '../positions.ts'
import { MAX_POSITIONS, type Position } from '../positions-text.ts'
import type { PlanRequest } from './plan-request.ts'

/** What an address has staked, the largest first, and the part of it that a plan takes. */
export type AddressStake =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed'; readonly error: unknown; readonly retry: () => void }
  | { readonly kind: 'nothing'; readonly retry: () => void }
  | {
      readonly kind: 'found'
      readonly positions: readonly Position[]
      /** How many more tokens were not read. */
      readonly unread: number
      readonly from: number
      readonly part: readonly Position[]
      /** Whether the requested part is beyond the end of the stake: `part` is then the first one. */
      readonly isBeyond: boolean
      readonly retry: () => void
    }

/** Reads the stake of the request's address once; all parts come from the same reading. */
export function useAddressStake(request: PlanRequest): AddressStake {
  const owner = request.kind === 'owner' ? request.owner : undefined
  const { answer, error, isPending, retry } = useAsk(owner, (client) => readHolding(client, owner ?? ''))
  if (request.kind !== 'owner') return { kind: 'none' }
  if (isPending) return { kind: 'loading' }
  if (error !== undefined) return { kind: 'failed', error, retry }
  if (!answer) return { kind: 'loading' }
  const positions = answer.tokens.filter(isAtWork).map(toPosition)
  if (positions.length === 0) return { kind: 'nothing', retry }
  // The stake may have become less since the link was made.
  const isBeyond = request.from >= positions.length
  const from = isBeyond ? 0 : request.from
  const part = positions.slice(from, from + MAX_POSITIONS)
  return {
    kind: 'found',
    positions,
    unread: answer.total - answer.tokens.length,
    from,
    part,
    isBeyond,
    retry,
  }
}

const isAtWork = ({ state }: HeldToken): boolean => state === 'active' || state === 'pending'

const toPosition = ({ stakedTokenId, validatorId, principal }: HeldToken): Position => ({
  stakedTokenId,
  validatorId,
  principal,
})
