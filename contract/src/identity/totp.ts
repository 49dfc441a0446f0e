import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { IsoTime } from '../fields.ts'
import { LIMITS } from '../limits.ts'
import { envelope } from './shapes.ts'

const RECOVERY_CODE = '[0-9A-Za-z]{5}(-[0-9A-Za-z]{5}){3}'

export const isRecoveryCode = (text: string): boolean => new RegExp(`^${RECOVERY_CODE}$`).test(text)

const factorCode = (description: string) =>
  z
    .string({ error: 'must be the 6 digits of the authenticator app, or a recovery code' })
    .regex(new RegExp(`^([0-9]{6}|${RECOVERY_CODE})$`), {
      error: 'must be the 6 digits of the authenticator app, or a recovery code',
    })
    .meta({ description, examples: ['123456'] })

const appCode = z
  .string({ error: 'must be the 6 digits of the authenticator app' })
  .regex(/^[0-9]{6}$/, { error: 'must be the 6 digits of the authenticator app' })
  .meta({ description: 'The 6 digits that the app shows.', examples: ['123456'] })

const RecoveryCodes = envelope(
  z.object({
    recoveryCodes: z
      .array(z.string())
      .meta({ description: 'Each signs in once instead of a code of the app. Shown this once.' }),
    warning: z.string().meta({ description: 'What to do with them now.' }),
  }),
).meta({ id: 'RecoveryCodes' })

/** The second factor of an admin who has enrolled an authenticator app. */
export const FactorCode = factorCode(
  'Of an admin with an authenticator app: its 6 digits, or a recovery code. Either works once.',
)

/** The second factor of admins: TOTP (RFC 6238) with an authenticator app. */
export const totpRows = {
  totpState: {
    tag: 'Users',
    summary: 'Your second factor',
    description:
      'Admins only: whether an authenticator app is enrolled, and how many recovery codes are left.',
    reply: envelope(
      z.object({
        isEnrolled: z.boolean().meta({ description: 'Whether signing in takes a code of the app.' }),
        isRequired: z
          .boolean()
          .meta({ description: 'Whether this service wants it of every admin (`ADMIN_TOTP`).' }),
        enrolledAt: IsoTime.nullable().meta({ description: 'Since when; null when it is not enrolled.' }),
        recoveryCodesLeft: z.int().min(0).meta({ description: 'Recovery codes that were not used yet.' }),
      }),
    ).meta({ id: 'TotpState' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  enrolTotp: {
    tag: 'Users',
    summary: 'Begin to enrol an authenticator app',
    description:
      'Admins only, soon after the sign-in. Returns a new secret, once; it takes effect with `{{confirmTotp}}`, which must follow within 15 minutes. Asking again replaces a secret that was not confirmed.',
    status: 201,
    reply: envelope(
      z.object({
        secret: z.string().meta({ description: 'The secret in base 32, to type in. Shown this once.' }),
        uri: z.string().meta({ description: 'The same as an `otpauth://` address, to show as a QR code.' }),
        expiresAt: IsoTime.meta({ description: 'Until when it can be confirmed.' }),
      }),
    ).meta({ id: 'TotpSecret' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  confirmTotp: {
    tag: 'Users',
    summary: 'Confirm the authenticator app',
    description: `Admins only. A code of the app proves that it has the secret: from here on each sign-in takes one. Ends every session of yours, this one too, and returns ${LIMITS.recoveryCodes} recovery codes, once.`,
    body: z.strictObject({ code: appCode }).meta({ id: 'TotpConfirmation' }),
    reply: RecoveryCodes,
    errors: ['forbidden', 'not_found', 'store_not_ready'],
  },
  renewRecoveryCodes: {
    tag: 'Users',
    summary: 'Replace your recovery codes',
    description: `Admins only, soon after the sign-in. Takes a code of the app that was not used yet; a recovery code is not enough, so that nobody can make new ones with one that was found. Returns ${LIMITS.recoveryCodes} new recovery codes, once: all earlier ones stop working in the same moment. You are told by mail.`,
    body: z.strictObject({ code: appCode }).meta({ id: 'RecoveryCodesRenewal' }),
    reply: RecoveryCodes,
    errors: ['forbidden', 'not_found', 'store_not_ready'],
  },
  removeTotp: {
    tag: 'Users',
    summary: 'Remove the authenticator app',
    description: 'Admins only. Takes a code that was not used yet, of the app or for recovery.',
    body: z
      .strictObject({ code: factorCode('6 digits of the app, or a recovery code.') })
      .meta({ id: 'TotpRemoval' }),
    reply: envelope(
      z.object({
        status: z.literal('removed').meta({ description: 'Signing in takes no code of an app any more.' }),
      }),
    ).meta({ id: 'TotpRemoved' }),
    errors: ['forbidden', 'not_found', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>
