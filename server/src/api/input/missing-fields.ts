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
 * Runs what authenticates the caller of an endpoint. Whoever is refused and has sent nothing at all is told in the same
 * answer what the call needs. Nothing is read of a body: that comes after authentication.
 */
export function tellMissing<T>(
  endpoint: EndpointName,
  raw: RawInput,
  authenticate: () => Promise<T>,
): Promise<T> {
  const tell = (error: unknown): never => {
    if (!(error instanceof Fault) || error.code !== 'unauthorized' || error.details || !isBare(raw))
      throw error
    const details = missingFields(endpoint)
    throw details.length === 0 ? error : error.with({ details })
  }
  try {
    return authenticate().catch(tell)
  } catch (error) {
    return tell(error)
  }
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
