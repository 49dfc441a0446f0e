import {
  ENDPOINTS,
  type EndpointName,
  type EndpointSpec,
  type ErrorBody,
  type ErrorCode,
  LIMITS,
  neededScope,
  ROUTES,
  SCOPES,
} from '@stakewright/contract'
import { EXAMPLE_VALIDATOR, EXAMPLES, PLACEHOLDERS } from '@stakewright/contract/examples'
import { credentialRefusals } from '#api/credential-refusals.ts'
import { toErrorBody } from '#api/error-body.ts'
import { admitAgent } from '../admitted-agent.ts'
import { ADMIN } from '../builder-agent.ts'
import { signIn } from '../registered-agent.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { ADMIN_EMAIL } from './states.ts'
import { withoutRandomValues } from './without-random-values.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>
type Refusals = Readonly<Record<string, unknown>>

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
const REQUEST_ID = 'x7Qm2LrT0aVbN4cZ8eYp'
/** A well-formed id that no validator has. */
const NO_VALIDATOR = `0x${'0'.repeat(63)}1`

/** A fresh sandbox's refusals of usual mistakes: those of each endpoint, and those that are alike everywhere. */
export async function recordedRefusals(): Promise<{
  alike: Refusals
  of: Readonly<Record<string, Refusals>>
}> {
  await using app = await openTestApp({
    env: { ...ADMIN, LIMIT_IP_RPM: '100000', LIMIT_GLOBAL_RPM: '100000' },
  })
  const held = await credentials(app)
  const of: Record<string, Refusals> = {}
  for (const name of NAMES) of[name] = await refusalsOf(app, name, held)
  return { alike: await refusalsAlike(app), of }
}

/** Headers with credentials: `right` ones may do everything, `lesser` ones lack a role, a tier or a scope. */
async function credentials(app: TestApp) {
  const key = (apiKey: string): Headers => ({ 'x-api-key': apiKey })
  const token = (jwt: string): Headers => ({ authorization: `Bearer ${jwt}` })
  const root = await signIn(app, ADMIN_EMAIL)
  const admin = app.client({ token: root })
  const { id, apiKey } = await admitAgent(app, { tier: 'builder' })
  const narrow = await Promise.all(
    SCOPES.map(async (scope) => {
      const { data } = await admin.createKey({ id, name: scope, scopes: [scope] })
      return [scope, key(data.apiKey)] as const
    }),
  )
  const plain = token(await signIn(app, 'ann@example.com'))
  const free = key((await admitAgent(app, { tier: 'free' })).apiKey)
  return {
    right: { none: {}, 'agent-key': key(apiKey), 'user-token': token(root) },
    /** Headers that probably may not call the endpoint. */
    lesser(name: EndpointName): readonly Headers[] {
      if (ROUTES[name].auth === 'user-token') return [plain]
      const { errors = [] }: EndpointSpec = ENDPOINTS[name]
      const outOfScope = narrow.flatMap(([scope, held]) => (scope === neededScope(name) ? [] : [held]))
      return [...(errors.includes('forbidden') ? [free] : []), ...outOfScope]
    },
  }
}

async function refusalsOf(
  app: TestApp,
  name: EndpointName,
  { right, lesser }: Awaited<ReturnType<typeof credentials>>,
): Promise<Refusals> {
  const row: EndpointSpec = ENDPOINTS[name]
  const { auth } = ROUTES[name]
  const known = row.errors ?? []
  const found: Record<string, unknown> = {}
  const record = async (code: ErrorCode, headers: Headers, input: Fields, query = '') => {
    if (found[code] !== undefined) return
    const body = await send(app, name, headers, input, query)
    if (body?.error === code) found[code] = withoutRandomValues({ ...body, requestId: REQUEST_ID })
  }
  // The first of these that is refused: without the required input, or with an unknown parameter.
  if (row.body || row.query) await record('invalid_input', right[auth], pick(row.params, exampleOf(name)))
  await record('invalid_input', right[auth], exampleOf(name), '?unknown=1')
  if (known.includes('not_found')) await record('not_found', right[auth], unknownIds(name))
  if (auth === 'none' && known.includes('unauthorized')) await record('unauthorized', {}, exampleOf(name))
  if (auth === 'agent-key' || known.includes('forbidden'))
    for (const held of lesser(name)) await record('forbidden', held, exampleOf(name))
  return found
}

function exampleOf(name: EndpointName): Fields {
  const examples: { readonly [Name in EndpointName]?: Fields } = EXAMPLES
  return examples[name] ?? {}
}

/** The example with ids that do not exist. Placeholders for own ids already are such. */
function unknownIds(name: EndpointName): Fields {
  const { params, body }: EndpointSpec = ENDPOINTS[name]
  const example = exampleOf(name)
  const inPath = JSON.stringify(pick(params, example)).replaceAll(EXAMPLE_VALIDATOR, NO_VALIDATOR)
  const { approvalId } = PLACEHOLDERS
  return { ...example, ...JSON.parse(inPath), ...(body && 'approvalId' in body.shape && { approvalId }) }
}

const pick = (part: EndpointSpec['body'], fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([field]) => part && field in part.shape))

/** Calls the endpoint and returns the refusal; undefined if the call succeeds. */
async function send(
  app: Pick<TestApp, 'url'>,
  name: EndpointName,
  headers: Headers,
  input: Fields,
  query: string,
): Promise<ErrorBody | undefined> {
  const { method, path } = ROUTES[name]
  const row: EndpointSpec = ENDPOINTS[name]
  const url = new URL(
    path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(input[field])) + query,
    app.url,
  )
  for (const [field, value] of Object.entries(pick(row.query, input)))
    url.searchParams.set(field, String(value))
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(row.body && { 'content-type': 'application/json' }) },
    ...(row.body && { body: JSON.stringify(pick(row.body, input)) }),
  })
  return response.ok ? undefined : await response.json()
}

/** The refusals that do not depend on the endpoint, by the missing credential or by the status. */
async function refusalsAlike(app: TestApp): Promise<Refusals> {
  const none = { apiKey: undefined, bearer: undefined }
  const withoutKey = (keyEndpoint: 'sandboxKey' | 'selfRegister') =>
    toErrorBody(credentialRefusals(keyEndpoint).noKey(none), REQUEST_ID)
  const refusedUpload = async (type: string, text: string) => {
    const { method, path } = ROUTES.sandboxKey
    const response = await fetch(app.url + path, { method, headers: { 'content-type': type }, body: text })
    return { ...(await response.json()), requestId: REQUEST_ID }
  }
  const ofLongUrl = async () => {
    const response = await fetch(`${app.url}${ROUTES.validators.path}?search=${'x'.repeat(9_000)}`)
    return { ...(await response.json()), requestId: REQUEST_ID }
  }
  return {
    'agent-key': withoutKey('selfRegister'),
    'agent-key in the sandbox': withoutKey('sandboxKey'),
    'user-token': toErrorBody(credentialRefusals('selfRegister').noToken(none), REQUEST_ID),
    '413': await refusedUpload('application/json', `"${'x'.repeat(LIMITS.bodyBytes)}"`),
    '414': await ofLongUrl(),
    '415': await refusedUpload('text/plain', 'agentName=yield-scout'),
  }
}
