import { nearestName } from '@stakewright/contract'
import { NOT_SHOWN } from '../../secrets/shown-name.ts'
import { toObject } from '../fields.ts'
import { REVISIONS } from '../revisions.ts'
import { CODES, type McpAnswer, methodOf, refusalOf, refuse } from './json-rpc.ts'

/** The field in `_meta` that contains the protocol revision of a message, in newer revisions. */
export const ENVELOPE = 'io.modelcontextprotocol/protocolVersion'

/** Refuses messages that the library would refuse with a worse error or with an incomplete list of revisions. */
export function refuseMessage(
  message: unknown,
  headers: Readonly<Record<string, string>>,
): McpAnswer | undefined {
  const params = toObject(toObject(message)['params'])
  const accept = headers['accept'] ?? ''
  if (!FORMS.every((form) => accept.toLowerCase().includes(form)))
    return refuse(message, {
      status: 406,
      code: CODES.server,
      text: `${NOT_TAKEN} ${TAKE_BOTH}`,
      fix: TAKE_BOTH,
    })
  const version = headers['mcp-protocol-version']
  // Messages with a version of their own are checked by the library.
  const isNamed = ENVELOPE in toObject(params['_meta'])
  if (version !== undefined && !isNamed && !REVISIONS.includes(version)) {
    const text = `This protocol version is not served. ${USE_REVISION}`
    const data = { supported: REVISIONS, requested: REVISION.test(version) ? version : NOT_SHOWN }
    return refuse(message, { status: 400, code: CODES.version, text, fix: USE_REVISION, data })
  }
  if (toObject(message)['id'] === Number.POSITIVE_INFINITY)
    return refuse(undefined, { status: 400, code: CODES.request, text: LARGE_ID })
  if (methodOf(message) === undefined && !isResponse(message))
    return refuse(message, { status: 400, code: CODES.request, text: NO_MESSAGE })
  if (headers['idempotency-key'] !== undefined && methodOf(message) === 'tools/call')
    return refuse(message, {
      status: 400,
      code: CODES.request,
      text: `${KEY_IN_HEADER} ${KEY_IN_ARGUMENTS}`,
      fix: KEY_IN_ARGUMENTS,
    })
  const { arguments: given } = params
  const isWrong = given !== undefined && (typeof given !== 'object' || given === null || Array.isArray(given))
  if (!isWrong || !WITH_ARGUMENTS.includes(methodOf(message) ?? '')) return undefined
  const text = '`arguments` must be one object, with a member for each argument. Send {} for none.'
  return refuse(message, { code: CODES.params, text })
}

/** An answer may be one message or a stream of them. */
const FORMS = ['application/json', 'text/event-stream']
const NOT_TAKEN = 'The header Accept leaves out a form that an answer may have.'
const TAKE_BOTH = `Send Accept: ${FORMS.join(', ')}.`
const REVISION = /^\d{4}-\d\d-\d\d$/
const USE_REVISION = `Use one of: ${REVISIONS.join(', ')}.`

const KEY_IN_HEADER = 'The header Idempotency-Key has no effect here, so nothing was done.'
const KEY_IN_ARGUMENTS = 'Send it as the argument `idempotencyKey` of a tool that takes it.'

const WITH_ARGUMENTS = ['tools/call', 'prompts/get']

const isResponse = (message: unknown): boolean =>
  'result' in toObject(message) || 'error' in toObject(message)

const LARGE_ID = '`id` is too large to be exact as a number. Send it as a string.'

export const NO_MESSAGE =
  'Send a JSON-RPC message: an object with `jsonrpc` "2.0", `id`, `method` and `params`.'

/** Replaces the library's validation text for wrong parameters by the fields and what each must be. */
export function inPlainWords(answered: unknown): unknown {
  const { code, message } = toObject(toObject(answered)['error'])
  if ((code !== CODES.internal && code !== CODES.params) || typeof message !== 'string') return answered
  const [first, ...others] = issuesIn(message)
  if (first === undefined) return answered
  const more = others.length > 0 ? ` ${wordsOf(others)}` : ''
  return refusalOf(answered, { code: CODES.params, text: `${wordsOf([first])}${more}` })
}

/** Adds a fix to an error of the library, which has none. */
export function withFix(answered: unknown, asked: unknown): unknown {
  const { error } = toObject(answered)
  const { code, message, data } = toObject(error)
  if (error === undefined || 'fix' in toObject(data)) return answered
  const fix = fixFor(Number(code), methodOf(asked) ?? '')
  const text = `${String(message).replace(/\.?$/, '.')} ${fix}`
  return {
    ...toObject(answered),
    error: { ...toObject(error), message: text, data: { ...toObject(data), fix } },
  }
}

function fixFor(code: number, method: string): string {
  const ofOtherRevision = code === CODES.method ? OF_OTHER_REVISIONS.get(method) : undefined
  if (ofOtherRevision !== undefined) return ofOtherRevision
  if (code === CODES.method || !METHODS.includes(method)) {
    const near = nearestName(method, METHODS)
    return near === undefined
      ? `Use one of: ${METHODS.join(', ')}.`
      : `Use ${near}, if that is what you mean.`
  }
  return FIXES[code] ?? 'Try again; if that does not help, the operator finds why in the log.'
}

const [NEWEST, LAST_WITH_START] = REVISIONS

/** Methods that only some revisions have, with the advice for a request that names another revision. */
const OF_OTHER_REVISIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    initialize: `Call server/discover: revision ${NEWEST} has no initialize. To use it, send MCP-Protocol-Version ${LAST_WITH_START} or none, and no ${ENVELOPE}.`,
    ping: `Leave it out: revision ${NEWEST} has no ping. server/discover answers as long as the service runs.`,
    'server/discover': `Call initialize: server/discover is of revision ${NEWEST}, which a request names in MCP-Protocol-Version and in ${ENVELOPE} of params._meta.`,
  }),
)

/** Supported methods, without subscriptions, completions and logging. */
export const METHODS: readonly string[] = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
]

const FIXES: Readonly<Record<number, string>> = {
  [CODES.request]: NO_MESSAGE,
  [CODES.params]: 'Send the parameters that the protocol gives this method.',
  [CODES.headers]: 'Let MCP-Protocol-Version, Mcp-Method and Mcp-Name say what the body says.',
  [CODES.version]: USE_REVISION,
}

type Issue = { readonly path?: unknown; readonly expected?: unknown; readonly message?: unknown }

function issuesIn(text: string): readonly Issue[] {
  const start = text.indexOf('[')
  if (start < 0) return []
  try {
    const issues: unknown = JSON.parse(text.slice(start))
    return Array.isArray(issues) ? issues.map(toObject).filter(({ path }) => Array.isArray(path)) : []
  } catch {
    return []
  }
}

const wordsOf = (issues: readonly Issue[]): string =>
  issues.map(({ path, expected }) => `\`${fieldOf(path)}\` must be ${nounOf(expected)}.`).join(' ')

function fieldOf(path: unknown): string {
  const parts = Array.isArray(path) ? path.map(String) : []
  return (parts[0] === 'params' && parts.length > 1 ? parts.slice(1) : parts).join('.') || 'params'
}

const nounOf = (expected: unknown): string => NOUNS[String(expected)] ?? 'as the protocol says'

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  boolean: 'true or false',
}
