import type { EndpointName } from '@stakewright/contract'
import { EXAMPLES, PLACEHOLDERS } from '@stakewright/contract/examples'
import { mailedCode, mailedToken, registerAgent, signIn } from '../registered-agent.ts'
import { appCode } from '../services/authenticator.ts'
import type { TestApp } from '../test-app.ts'
import { ADMIN_EMAIL, newAgent, withApproval, withFactor, withReservation } from './states.ts'

const EMAIL = 'agent@example.com'

/** The example, and the key or token to call it with, if no other one works. */
export type PreparedExample = {
  readonly example: Readonly<Record<string, unknown>>
  readonly apiKey?: string
  readonly token?: string
}

/** The values of the placeholders, and the credential to use. */
type State = {
  readonly values: { readonly [Name in keyof typeof PLACEHOLDERS]?: string }
  readonly apiKey?: string
  readonly token?: string
}

/** Creates the objects that the example needs, and replaces its placeholders by their values. */
export async function prepareExample(app: TestApp, name: EndpointName): Promise<PreparedExample> {
  const given = name in EXAMPLES ? EXAMPLES[name as keyof typeof EXAMPLES] : {}
  const { values, ...credential } = await stateFor(app, name)
  const byText = new Map<unknown, string>()
  for (const [key, value] of Object.entries(values)) {
    byText.set(PLACEHOLDERS[key as keyof typeof PLACEHOLDERS], value)
  }
  const example = JSON.parse(JSON.stringify(given, (_, value) => byText.get(value) ?? value))
  return { example, ...credential }
}

async function stateFor(app: TestApp, name: EndpointName): Promise<State> {
  switch (name) {
    case 'listApprovals':
    case 'waitingApprovals':
    case 'readApproval':
    case 'decideApproval': {
      const { id, approvalId } = await withApproval(app)
      return { values: { agentId: id, approvalId } }
    }
    case 'readPolicy':
    case 'ownPolicy':
    case 'policyRevisions':
    case 'simulatePolicy':
    case 'releaseReservation':
    case 'listReservations':
    case 'cancelReservation':
    case 'agentProfile':
    case 'agentAudit': {
      const { id, apiKey, intentId, reservationId } = await withReservation(app)
      const isOwn = name === 'releaseReservation' || name === 'ownPolicy' || name === 'simulatePolicy'
      return { values: { agentId: id, intentId, reservationId }, ...(isOwn && { apiKey }) }
    }
    case 'listKeys':
    case 'revokeKey': {
      const { id } = await newAgent(app)
      const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
      return { values: { agentId: id, keyId: (await admin.createKey({ id, name: 'ci' })).data.id } }
    }
    case 'endSession': {
      const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
      return { values: { sessionId: (await admin.listSessions()).data[0]?.id ?? '' } }
    }
    case 'verifyEmail':
      await registerAgent(app, { email: EMAIL, isVerified: false })
      return { values: { token: await mailedToken(app, EMAIL) } }
    case 'exchangeCode':
      await app.client().requestCode({ email: EMAIL })
      return { values: { code: await mailedCode(app, EMAIL) } }
    case 'confirmTotp': {
      const admin = app.client({ token: await signIn(app, ADMIN_EMAIL) })
      return { values: { totp: appCode((await admin.enrolTotp()).data.secret, app.clock.now()) } }
    }
    case 'renewRecoveryCodes':
    case 'removeTotp': {
      const { token, ...values } = await withFactor(app)
      return { values, token }
    }
    default:
      return { values: needsAgent(name) ? { agentId: (await newAgent(app)).id } : {} }
  }
}

const needsAgent = (name: EndpointName) =>
  name === 'listAgents' ||
  JSON.stringify(EXAMPLES[name as keyof typeof EXAMPLES] ?? {}).includes(PLACEHOLDERS.agentId)
