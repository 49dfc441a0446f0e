import { ENDPOINTS, type EndpointName, type EndpointSpec } from '@stakewright/contract'
import type { ErrorDetail } from '@stakewright/contract/errors'
import { Fault } from '../../fault.ts'
import { checkInput, isEmpty, type RawInput } from './check-input.ts'

const known = new Map<EndpointName, readonly ErrorDetail[]>()

/** The required fields of query and body: the details of the refusal of an empty request. */
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
 * Adds the required fields to a 401 if the request has no input at all. A body is not read, because that happens after
 * authentication.
 */
export function addRequiredFields(
  error: unknown,
  endpoint: EndpointName,
  raw: RawInput | undefined,
): unknown {
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
