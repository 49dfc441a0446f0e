import { REVISIONS } from './revisions.ts'

type Refusal = { readonly status: number; readonly contentType: string; readonly body: string }

const INVALID_PARAMS = -32_602
const UNSUPPORTED_VERSION = -32_022
const ENVELOPE = 'io.modelcontextprotocol/protocolVersion'

/** What the library would refuse in its own words, or with only a part of the revisions that are served. */
export function refuseMessage(body: unknown, headers: Readonly<Record<string, string>>): Refusal | undefined {
  const params = toObject(toObject(body)['params'])
  const version = headers['mcp-protocol-version']
  // A message that names its version itself is refused by the library, with those that do the same.
  const isNamed = ENVELOPE in toObject(params['_meta'])
  if (version !== undefined && !isNamed && !REVISIONS.includes(version)) {
    const message = `The protocol version ${JSON.stringify(version)} is not served. Use one of: ${REVISIONS.join(', ')}.`
    return refusal(body, 400, UNSUPPORTED_VERSION, message, { supported: REVISIONS, requested: version })
  }
  const { arguments: given } = params
  const isWrong = given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))
  if (!isWrong || !WITH_ARGUMENTS.includes(methodOf(body) ?? '')) return undefined
  const message = '`arguments` must be one object, with a member for each argument. Send {} for none.'
  return refusal(body, 200, INVALID_PARAMS, message)
}

const WITH_ARGUMENTS = ['tools/call', 'prompts/get']

export function methodOf(body: unknown): string | undefined {
  const { method } = toObject(body)
  return typeof method === 'string' ? method : undefined
}

function refusal(body: unknown, status: number, code: number, message: string, data?: object): Refusal {
  const { id } = toObject(body)
  const error = { code, message, ...(data && { data }) }
  const isId = typeof id === 'string' || typeof id === 'number'
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: isId ? id : null, error }),
  }
}

const toObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
