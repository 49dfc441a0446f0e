import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { EmailAddress, IsoTime } from '../fields.ts'
import { IdInput } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { ListPage, listQuery, sortedListOf } from '../lists.ts'
import { envelope, Message } from './shapes.ts'
import { FactorCode } from './totp.ts'
import { hasOneProof, oneProof, WalletProof } from './wallet-proof.ts'

const SessionId = IdInput.meta({ description: 'Id of a session.', examples: ['ses_…'] })

const Session = z
  .object({
    id: SessionId,
    isCurrent: z.boolean().meta({ description: 'Whether the token of this call belongs to it.' }),
    issuedBy: z
      .enum(['sign-in', 'operator'])
      .meta({ description: 'operator: a command on the machine of the service has made its token.' }),
    ip: z.string().meta({ description: 'Truncated address that it was begun from.' }),
    createdAt: IsoTime.meta({ description: 'When it was begun: the moment of the sign-in.' }),
    expiresAt: IsoTime.meta({ description: 'When its token expires.' }),
  })
  .meta({ id: 'Session', description: 'A sign-in whose token is still good.' })

const SESSIONS = sortedListOf('data', Session, {
  id: 'id',
  compact: ['id', 'isCurrent', 'createdAt', 'expiresAt'],
  sort: { createdAt: 'desc', expiresAt: 'asc', ip: 'asc' },
  sortedBy: 'createdAt',
  steady: ['createdAt', 'expiresAt', 'ip'],
})

/** Sign-in: how a person gets the JWT for management endpoints. */
export const userRows = {
  requestCode: {
    tag: 'Users',
    summary: 'Ask for a sign-in code',
    description:
      'Mails a 6-digit code that is good for 10 minutes and 5 tries from each network, and a long one that is good for 6 hours, whatever others try. Answers 202 whether or not the address is known.',
    body: z.strictObject({ email: EmailAddress }).meta({ id: 'CodeRequest' }),
    status: 202,
    reply: envelope(Message).meta({ id: 'CodeAccepted' }),
    addressBudget: 'sign-in',
    errors: ['rate_limited', 'store_not_ready'],
  },
  exchangeCode: {
    tag: 'Users',
    summary: 'Exchange the code for a token',
    description:
      'Returns the JWT for the management endpoints, for the code of a mail or for the signature of a wallet (see `{{walletChallenge}}`). Of an admin with an authenticator app it takes `totp` too: without it a right code is refused with `details` that name `totp`, and not used up.',
    body: z
      .strictObject({
        email: EmailAddress.optional().meta({ description: 'The address that the code was mailed to.' }),
        ...WalletProof,
        code: z
          .string({ error: 'must be the 6 digits of the mail, or its long code' })
          .regex(/^([0-9]{6}|[0-9A-Za-z]{5}([- ]?[0-9A-Za-z]{5}){3})$/, {
            error: 'must be the 6 digits of the mail, or its long code',
          })
          .optional()
          .meta({ description: 'The 6 digits of the mail, or its long code.', examples: ['123456'] }),
        totp: FactorCode.optional(),
      })
      .refine(
        (body) => hasOneProof(body) && (body.email === undefined) === (body.code === undefined),
        oneProof('`email` and `code`'),
      )
      .meta({ id: 'TokenRequest' }),
    reply: envelope(
      z.object({
        accessToken: z.string().meta({ description: 'The JWT; send it as `Authorization: Bearer`.' }),
        tokenType: z.literal('Bearer').meta({ description: 'How to send it.' }),
        expiresIn: z.int().meta({ description: 'Seconds until it expires.' }),
      }),
    ).meta({ id: 'AccessToken' }),
    addressBudget: 'sign-in',
    errors: ['unauthorized', 'store_not_ready', 'rpc_unavailable'],
  },
  listSessions: {
    tag: 'Users',
    summary: 'Your sessions',
    description: `Every sign-in of yours whose token is still good, newest first. At most ${LIMITS.sessionsPerUser}: one more ends the oldest.`,
    query: z.object(listQuery(SESSIONS)),
    list: SESSIONS,
    reply: envelope(z.array(Session)).extend(ListPage).meta({ id: 'SessionList' }),
    addressBudget: 'agent-revocation',
    errors: ['store_not_ready'],
  },
  endSession: {
    tag: 'Users',
    summary: 'End a session',
    description:
      'Its token is refused from the commit on, on every instance. With the id of the current session it signs out.',
    params: z.object({ id: SessionId }),
    reply: envelope(
      z.object({
        id: SessionId,
        status: z.literal('ended').meta({ description: 'The token is refused for good.' }),
      }),
    ).meta({ id: 'SessionEnded' }),
    addressBudget: 'agent-revocation',
    errors: ['not_found', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>
