import type { EndpointName } from '@stakewright/contract'
import { mailedCode, mailedToken, registerAgent, signIn } from '../../support/registered-agent.ts'
import { ALL, ANN, approvalOf } from '../policy/with-approvals.ts'
import { type Given, ROOT } from './before-changes.ts'

/** The terms of the named key. */
export const KEY_TERMS = {
  scopes: ['build', 'read'],
  allowedNetworks: ['127.0.0.0/8', '2001:db8::/32'],
  expiresAt: '2999-01-01T00:00:00.000Z',
} as const

const ANYBODY = ['anybody', null, null] as const
const OWNER = ['user', `stakewright/${ANN}`, 'user'] as const
const MANAGER = ['user', `stakewright/${ROOT}`, 'admin'] as const

type Change = {
  readonly actions: readonly string[]
  /** A failed try uses up what `prepare` has made. */
  readonly isUsedUp?: true
  /** Kind, id and role of the actor. */
  readonly by: readonly [string, string | null, string | null]
  /** Prepares the change. The function that it returns makes the change, and resolves with the id of the target. */
  readonly prepare: (given: Given) => Promise<() => Promise<string>>
}

/** One way to make each change that a user or an anonymous caller can request. */
export const CHANGES: { readonly [Name in EndpointName]?: Change } = {
  selfRegister: {
    actions: ['self-register'],
    by: ANYBODY,
    prepare:
      async ({ app }) =>
      async () =>
        (await app.client().selfRegister({ email: 'bob@example.com', agentName: 'x' })).data.id,
  },
  sandboxKey: {
    actions: ['create-sandbox-key'],
    by: ANYBODY,
    prepare:
      async ({ app }) =>
      async () =>
        (await app.client().sandboxKey({ agentName: 'x' })).data.id,
  },
  verifyEmail: {
    actions: ['activate'],
    by: ANYBODY,
    prepare: async ({ app }) => {
      const { id } = await registerAgent(app, { email: 'bob@example.com', isVerified: false })
      const token = await mailedToken(app, 'bob@example.com')
      return () =>
        app
          .client()
          .verifyEmail({ token })
          .then(() => id)
    },
  },
  exchangeCode: {
    actions: ['sign-in'],
    isUsedUp: true,
    by: OWNER,
    prepare: async ({ app }) => {
      await app.client().requestCode({ email: ANN })
      const code = await mailedCode(app, ANN)
      return () =>
        app
          .client()
          .exchangeCode({ email: ANN, code })
          .then(() => OWNER[1])
    },
  },
  endSession: {
    actions: ['end-session'],
    by: OWNER,
    prepare: async ({ app, ann }) => {
      const ended = (await ann.listSessions()).data[0]?.id ?? ''
      const other = app.client({ token: await signIn(app, ANN) })
      return () => other.endSession({ id: ended }).then(() => OWNER[1])
    },
  },
  enrolTotp: {
    actions: ['begin-totp'],
    by: MANAGER,
    prepare:
      async ({ admin }) =>
      () =>
        admin.enrolTotp().then(() => MANAGER[1]),
  },
  confirmTotp: {
    actions: ['enrol-totp'],
    by: MANAGER,
    prepare: async ({ admin, newAppSecret, codeNow }) => {
      const secret = await newAppSecret()
      return () => admin.confirmTotp({ code: codeNow(secret) }).then(() => MANAGER[1])
    },
  },
  renewRecoveryCodes: {
    actions: ['renew-recovery-codes'],
    by: MANAGER,
    prepare: async ({ enrol }) => {
      const { root, code } = await enrol()
      return () => root.renewRecoveryCodes({ code: code() }).then(() => MANAGER[1])
    },
  },
  removeTotp: {
    actions: ['remove-totp'],
    by: MANAGER,
    prepare: async ({ enrol }) => {
      const { root, code } = await enrol()
      return () => root.removeTotp({ code: code() }).then(() => MANAGER[1])
    },
  },
  registerAgent: {
    actions: ['register'],
    by: OWNER,
    prepare:
      async ({ ann }) =>
      async () =>
        (await ann.registerAgent({ agentName: 'x' })).data.id,
  },
  updateAgent: {
    actions: ['suspend', 'set-limits'],
    by: MANAGER,
    prepare:
      async ({ admin, id }) =>
      async () => {
        await admin.updateAgent({ id, status: 'suspended', rateLimits: { rpm: 5, rpd: 50 } })
        return id
      },
  },
  rotateKey: {
    actions: ['rotate'],
    by: OWNER,
    prepare:
      async ({ ann, id }) =>
      () =>
        ann.rotateKey({ id }).then(() => id),
  },
  createKey: {
    actions: ['create-key'],
    by: OWNER,
    prepare:
      async ({ ann, id }) =>
      () =>
        ann.createKey({ id, name: 'ci', ...KEY_TERMS }).then(() => id),
  },
  revokeKey: {
    actions: ['revoke-key'],
    by: OWNER,
    prepare: async ({ ann, id }) => {
      const { data } = await ann.createKey({ id, name: 'ci' })
      return () => ann.revokeKey({ id, keyId: data.id }).then(() => id)
    },
  },
  writePolicy: {
    actions: ['set-policy'],
    by: OWNER,
    prepare:
      async ({ ann, id }) =>
      () =>
        ann.writePolicy({ id, rules: [ALL], revision: 1 }).then(() => id),
  },
  decideApproval: {
    actions: ['approve-transaction'],
    by: OWNER,
    prepare: async ({ stake, decide, id }) => {
      const { approvalId } = await approvalOf(stake())
      return () => decide(approvalId, 'approve').then(() => id)
    },
  },
  cancelReservation: {
    actions: ['release-reservation'],
    by: OWNER,
    prepare: async ({ ann, id, stake, allowWindow }) => {
      await allowWindow()
      await stake()
      const [built] = (await ann.listReservations({ id })).data
      return () => ann.cancelReservation({ id, reservationId: built?.reservationId ?? '' }).then(() => id)
    },
  },
  revokeAgent: {
    actions: ['revoke'],
    by: OWNER,
    prepare:
      async ({ ann, id }) =>
      () =>
        ann.revokeAgent({ id }).then(() => id),
  },
  reportLeak: {
    actions: ['report-leak'],
    by: ANYBODY,
    prepare:
      async ({ app, agent }) =>
      () =>
        app
          .client()
          .reportLeak({ apiKey: agent.apiKey })
          .then(() => agent.id),
  },
}

/** Further actions of the same endpoints. */
export const MORE_CHANGES: Readonly<Record<string, Change>> = {
  'updateAgent that resumes': {
    actions: ['resume'],
    by: MANAGER,
    prepare: async ({ admin, id }) => {
      await admin.updateAgent({ id, status: 'suspended' })
      return () => admin.updateAgent({ id, status: 'active' }).then(() => id)
    },
  },
  'decideApproval that refuses': {
    actions: ['refuse-transaction'],
    by: OWNER,
    prepare: async ({ stake, decide, id }) => {
      const { approvalId } = await approvalOf(stake())
      return () => decide(approvalId, 'refuse').then(() => id)
    },
  },
}

/** Endpoints that record no action, and why. */
export const UNRECORDED: { readonly [Name in EndpointName]?: string } = {
  walletChallenge: 'a challenge opens nothing until it is signed; what is done with it then is recorded',
  resendVerification: 'a mail to the owner; the time it takes must not tell whether there was one to send',
  requestCode: 'a mail to the owner; the time it takes must not tell whether there was one to send',
}
