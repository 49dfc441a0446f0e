import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { ENDPOINTS, type EndpointName, type EndpointSpec, ROUTES } from '@stakewright/contract'
import { EXAMPLES, PLACEHOLDERS } from '@stakewright/contract/examples'
import { ADMIN } from '../support/builder-agent.ts'
import { mailedCode, mailedToken, registerAgent, signIn } from '../support/registered-agent.ts'
import { appCode } from '../support/services/authenticator.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]
const ROWS: Record<string, EndpointSpec> = ENDPOINTS
const EMAIL = 'agent@example.com'

test('every endpoint that takes something has an example', () => {
  const takes = NAMES.filter((name) => ROWS[name]?.params ?? ROWS[name]?.query ?? ROWS[name]?.body)
  assert.deepEqual(Object.keys(EXAMPLES).toSorted(), takes.toSorted())
})

for (const name of Object.keys(EXAMPLES) as (keyof typeof EXAMPLES)[]) {
  test(`${ROWS[name]?.status ?? 200}: the example of ${name} works on a fresh sandbox`, async () => {
    await using app = await openTestApp({ env: { ...ADMIN, LIMIT_REGISTER_IP_HOUR: '100' } })
    const input = await replacePlaceholders(app, name)
    const client = await clientFor(app, name, input)
    // The client of a test app checks status and shape of every answer against the contract.
    await toCall(client, name)(input.example)
  })
}

type Described = {
  readonly get?: {
    readonly operationId: string
    readonly parameters?: readonly {
      readonly in: string
      readonly name: string
      readonly example?: unknown
    }[]
  }
}

test('200: who fills in the example of every parameter, as tools do, gets an answer', async () => {
  await using app = await openTestApp()
  const { data } = await app.client().sandboxKey({ agentName: 'examples' })
  const asked: string[] = []
  const document = await (await fetch(`${app.url}/openapi.json`)).json()
  for (const [path, { get }] of Object.entries<Described>(document.paths)) {
    const name = NAMES.find((one) => one === get?.operationId)
    if (!name || ROUTES[name].auth === 'user-token' || name === 'verifyEmail') continue
    const url = new URL(path, app.url)
    for (const parameter of get?.parameters ?? []) {
      if (parameter.example === undefined) continue
      if (parameter.in === 'query') url.searchParams.set(parameter.name, String(parameter.example))
      url.pathname = url.pathname.replace(`%7B${parameter.name}%7D`, String(parameter.example))
    }
    const { status } = await fetch(url, { headers: { 'x-api-key': data.apiKey } })
    assert.equal(status, 200, url.href)
    if (url.search !== '') asked.push(name)
  }
  assert(asked.length >= 8, asked.join(', '))
})

/** With the credential that the endpoint asks for; user tokens are an admin's. */
async function clientFor(app: TestApp, name: EndpointName, { apiKey, token }: Prepared): Promise<Client> {
  const { auth } = ROUTES[name]
  if (token !== undefined) return app.client({ token })
  if (apiKey !== undefined) return app.client({ apiKey })
  if (auth === 'none') return app.client()
  if (auth === 'user-token') return app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await app.client().sandboxKey({ agentName: 'examples' })
  return app.client({ apiKey: data.apiKey })
}

/** The example, and the key or token that it takes where another would not do. */
type Prepared = {
  readonly example: unknown
  readonly apiKey: string | undefined
  readonly token: string | undefined
}

/** An admin with an authenticator app, signed in with a recovery code, and what proves the factor once more. */
async function withFactor(app: TestApp) {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { secret } = (await admin.enrolTotp()).data
  const { data } = await admin.confirmTotp({ code: appCode(secret, app.clock.now()) })
  const [first = '', second = ''] = data.recoveryCodes
  await app.client().requestCode({ email: 'root@example.com' })
  const code = await mailedCode(app, 'root@example.com')
  const signedIn = await app.client().exchangeCode({ email: 'root@example.com', code, totp: first })
  const nextTotp = appCode(secret, app.clock.now() + 30_000)
  return { token: signedIn.data.accessToken, recoveryCode: second, nextTotp }
}

/** An agent whose policy has a window, and a transaction that counts against it. */
async function withReservation(app: TestApp) {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { id, apiKey } = await ownedByAdmin(app)
  const window = { rule: 'maxPerWindow', amount: '1000000000000', window: 'day' } as const
  await admin.writePolicy({ id, rules: [{ rule: 'actions', allow: ['stake'] }, window] })
  const { intentId } = await app.client({ apiKey }).buildStake(EXAMPLES.buildStake)
  const reservationId = (await admin.listReservations({ id })).data[0]?.reservationId ?? ''
  return { id, apiKey, intentId, reservationId }
}

/** A transaction that waits for approval. */
async function withApproval(app: TestApp, { id, apiKey }: { readonly id: string; readonly apiKey: string }) {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const approval = { rule: 'approvalAbove', amount: '1' } as const
  await admin.writePolicy({ id, rules: [{ rule: 'actions', allow: ['stake'] }, approval] })
  await assert.rejects(app.client({ apiKey }).buildStake(EXAMPLES.buildStake), { code: 'approval_needed' })
  return (await admin.listApprovals({ id })).data[0]?.approvalId ?? ''
}

/** The example with what only a registration or a mail gives. */
async function replacePlaceholders(app: TestApp, name: keyof typeof EXAMPLES): Promise<Prepared> {
  const isUsed = (placeholder: keyof typeof PLACEHOLDERS) =>
    JSON.stringify(EXAMPLES[name]).includes(`"${PLACEHOLDERS[placeholder]}"`)
  const values: Record<string, string> = {}
  if (isUsed('agentId')) {
    const agent = await ownedByAdmin(app)
    values[PLACEHOLDERS.agentId] = agent.id
    if (isUsed('approvalId')) values[PLACEHOLDERS.approvalId] = await withApproval(app, agent)
  }
  if (isUsed('keyId')) {
    const id = values[PLACEHOLDERS.agentId] ?? ''
    const admin = app.client({ token: await signIn(app, 'root@example.com') })
    values[PLACEHOLDERS.keyId] = (await admin.createKey({ id, name: 'ci' })).data.id
  }
  if (isUsed('sessionId')) {
    const admin = app.client({ token: await signIn(app, 'root@example.com') })
    values[PLACEHOLDERS.sessionId] = (await admin.listSessions()).data[0]?.id ?? ''
  }
  if (isUsed('token')) {
    await registerAgent(app, { email: EMAIL, isVerified: false })
    values[PLACEHOLDERS.token] = await mailedToken(app, EMAIL)
  }
  if (isUsed('code')) {
    await app.client().requestCode({ email: EMAIL })
    values[PLACEHOLDERS.code] = await mailedCode(app, EMAIL)
  }
  if (isUsed('totp')) {
    const admin = app.client({ token: await signIn(app, 'root@example.com') })
    values[PLACEHOLDERS.totp] = appCode((await admin.enrolTotp()).data.secret, app.clock.now())
  }
  const enrolled = isUsed('recoveryCode') || isUsed('nextTotp') ? await withFactor(app) : undefined
  if (enrolled) values[PLACEHOLDERS.recoveryCode] = enrolled.recoveryCode
  if (enrolled) values[PLACEHOLDERS.nextTotp] = enrolled.nextTotp
  const own = isUsed('intentId') || isUsed('reservationId') ? await withReservation(app) : undefined
  if (own) values[PLACEHOLDERS.intentId] = own.intentId
  if (own && isUsed('reservationId')) {
    values[PLACEHOLDERS.agentId] = own.id
    values[PLACEHOLDERS.reservationId] = own.reservationId
  }
  const example = JSON.parse(JSON.stringify(EXAMPLES[name], (_, value) => values[value] ?? value))
  const apiKey = isUsed('intentId') ? own?.apiKey : undefined
  return { example, apiKey, token: enrolled?.token }
}

async function ownedByAdmin(app: TestApp) {
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  return (await admin.registerAgent({ agentName: 'managed' })).data
}

/** Every endpoint has a method of its name, which takes what the contract says. */
function toCall(client: Client, name: EndpointName): (input: unknown) => Promise<unknown> {
  return client[name] as (input: unknown) => Promise<unknown>
}
