import assert from 'node:assert/strict'
import { ENDPOINTS, ROUTES } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { mailedCode, signIn } from '../registered-agent.ts'
import { appCode } from '../services/authenticator.ts'
import type { TestApp } from '../test-app.ts'

export const ADMIN_EMAIL = 'root@example.com'

/** An agent that an admin has registered. */
export async function newAgent(app: TestApp) {
  const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
  return (await admin.registerAgent({ agentName: 'managed' })).data
}

/** An agent whose policy has a window, and a transaction that counts against it. */
export async function withReservation(app: TestApp) {
  const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
  const { id, apiKey } = await newAgent(app)
  const window = { rule: 'maxPerWindow', amount: '1000000000000', window: 'day' } as const
  await admin.writePolicy({ id, rules: [{ rule: 'actions', allow: ['stake'] }, window] })
  const { intentId } = await app.client({ apiKey }).buildStake(EXAMPLES.buildStake)
  const reservationId = (await admin.listReservations({ id })).data[0]?.reservationId ?? ''
  return { id, apiKey, intentId, reservationId }
}

/** An agent with a transaction that waits for approval, and the answer to its build. */
export async function withApproval(app: TestApp) {
  const { id, apiKey } = await newAgent(app)
  const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
  const approval = { rule: 'approvalAbove', amount: '5000000000' } as const
  await admin.writePolicy({ id, rules: [{ rule: 'actions', allow: ['stake'] }, approval] })
  const response = await fetch(app.url + ROUTES.buildStake.path, {
    method: ROUTES.buildStake.method,
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify(EXAMPLES.buildStake),
  })
  assert.equal(response.status, 202)
  const awaits = ENDPOINTS.buildStake.waiting.parse(await response.json())
  return { id, approvalId: awaits.approvalId, awaits }
}

/** An admin with an authenticator app, signed in with a recovery code, and two more codes of the factor. */
export async function withFactor(app: TestApp) {
  const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
  const { secret } = (await admin.enrolTotp()).data
  const { data } = await admin.confirmTotp({ code: appCode(secret, app.clock.now()) })
  const [first = '', second = ''] = data.recoveryCodes
  await app.client().requestCode({ email: ADMIN_EMAIL })
  const code = await mailedCode(app, ADMIN_EMAIL)
  const signedIn = await app.client().exchangeCode({ email: ADMIN_EMAIL, code, totp: first })
  const nextTotp = appCode(secret, app.clock.now() + 30_000)
  return { token: signedIn.data.accessToken, recoveryCode: second, nextTotp }
}
