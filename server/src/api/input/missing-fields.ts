import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'
import type { ErrorDetail } from '@stakewright/contract/errors'
import { Fault } from '../../fault.ts'
import { checkInput, type RawInput } from './check-input.ts'

const known = new Map<EndpointName, readonly ErrorDetail[]>()

/** What a call of the endpoint must have in its query and body, as the refusal of an empty one says it. */
export function missingFields(endpoint: EndpointName): readonly ErrorDetail[] {
  const found = known.get(endpoint) ?? refusedFields(ENDPOINTS[endpoint])
  known.set(endpoint, found)
  return found
}

function refusedFields({ params: _params, ...row }: EndpointSpec): readonly ErrorDetail[] {
  try {
    checkInput(row)({ kind: 'arguments', values: {} })
    return []
  } catch (error) {
    if (error instanceof Fault) return error.details ?? []
    throw error
  }
}

/**
 * A refusal of a caller's credentials. To whoever has sent nothing at all it also says what the call needs. Nothing is
 * read of a body: that comes after authentication.
 */
export function tellMissing(error: unknown, endpoint: EndpointName, raw: RawInput | undefined): unknown {
  if (!(error instanceof Fault) || error.code !== 'unauthorized' || error.details) return error
  if (raw === undefined || !isBare(raw)) return error
  const details = missingFields(endpoint)
  return details.length === 0 ? error : error.with({ details })
}

function isBare(raw: RawInput): boolean {
  if (raw.kind === 'arguments') return isEmpty(raw.values)
  if (raw.hasBody) return false
  try {
    return isEmpty(raw.query())
  } catch {
    return false
  }
}

const isEmpty = (value: unknown): boolean => Object.keys(Object(value)).length === 0
