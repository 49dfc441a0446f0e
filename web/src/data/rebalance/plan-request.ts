import { LIMITS } from '@stakewright/contract/limits'
import { readUnits, unreadText } from '../address/read-parts.ts'
import { isPlaceholderId, MAX_POSITIONS, type Position, placeholderId } from '../positions-text.ts'

/**
 * What to plan for, as the page's URL states it: a list of positions, or the stake of an address, of which a plan
 * takes one part at a time. Fifty positions with the longest ids stay below the URL length that the service accepts.
 */
export type PlanRequest =
  | { readonly kind: 'none' }
  | { readonly kind: 'held'; readonly positions: readonly Position[] }
  /** `from`: the first position of the part, by size, from 0. */
  | { readonly kind: 'owner'; readonly owner: string; readonly from: number }
  | { readonly kind: 'problem'; readonly text: string }

/** Characters that a URL does not escape. */
const [BETWEEN_PARTS, BETWEEN_POSITIONS] = ['-', '_'] as const

/** The query of a link that plans for these positions. */
export const heldQuery = (positions: readonly Position[]): string =>
  `held=${positions.map(positionPart).join(BETWEEN_POSITIONS)}`

const positionPart = ({ validatorId, principal, stakedTokenId }: Position): string =>
  [validatorId, principal, ...(isPlaceholderId(stakedTokenId) ? [] : [stakedTokenId])].join(BETWEEN_PARTS)

/** The query of a link that plans for what an address has staked, from its largest position or a later one on. */
export const ownerQuery = (owner: string, from = 0): string =>
  `owner=${encodeURIComponent(owner)}${from === 0 ? '' : `&from=${from + 1}`}`

export function readPlanRequest(query: URLSearchParams): PlanRequest {
  const held = query.get('held')
  const owner = query.get('owner') ?? ''
  if (held !== null && owner !== '')
    return {
      kind: 'problem',
      text: 'The address has positions (held) and an address that owns stake (owner): it takes one of them.',
    }
  const horizon = query.get('horizon')
  if (horizon !== null && readHorizon(query) === undefined)
    return {
      kind: 'problem',
      text: unreadText('horizon', horizon, `it takes a number of epochs from 1 to ${LIMITS.horizonEpochs}`),
    }
  if (held !== null) return readHeld(held)
  if (owner === '') return { kind: 'none' }
  const from = query.get('from') ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(from))
    return { kind: 'problem', text: unreadText('from', from, 'it takes the place of a position, from 1') }
  return { kind: 'owner', owner, from: Number(from) - 1 }
}

const HORIZON = /^[1-9]\d{0,3}$/

/** The horizon of the plan in epochs; undefined if there is none that can be read: the service has a default. */
export function readHorizon(query: URLSearchParams): number | undefined {
  const horizon = query.get('horizon') ?? ''
  return HORIZON.test(horizon) && Number(horizon) <= LIMITS.horizonEpochs ? Number(horizon) : undefined
}

function readHeld(text: string): PlanRequest {
  const parts = text.split(BETWEEN_POSITIONS)
  if (parts.length > MAX_POSITIONS)
    return {
      kind: 'problem',
      text: `The address has ${parts.length} positions; a plan takes ${MAX_POSITIONS}.`,
    }
  const positions: Position[] = []
  for (const [index, part] of parts.entries()) {
    const position = readPosition(part, index)
    if (!position)
      return {
        kind: 'problem',
        text: `Position ${index + 1} of the address cannot be read: “${part}”. Copy the link again, whole, or write what you hold.`,
      }
    positions.push(position)
  }
  return { kind: 'held', positions }
}

const POSITION = /^(0x[0-9a-f]{1,64})-([1-9]\d{0,19})(?:-(0x[0-9a-f]{1,64}))?$/i

function readPosition(part: string, index: number): Position | undefined {
  const [, validatorId, principal, token = placeholderId(index)] = POSITION.exec(part) ?? []
  if (validatorId === undefined || principal === undefined || !readUnits(principal)) return undefined
  return { stakedTokenId: token, validatorId, principal }
}
