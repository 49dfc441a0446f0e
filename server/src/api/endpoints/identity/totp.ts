import {
  confirmFactor,
  enrolFactor,
  type FactorNeeds,
  readFactor,
  refuseFactor,
  removeFactor,
  renewRecoveryCodes,
} from '#domain/users/totp.ts'
import type { User } from '#ports/stores/users.ts'
import { toIso } from '../../../basics/iso-time.ts'
import type { Endpoints } from '../../endpoint.ts'

const KEEP_THEM = 'Keep these codes apart from the app: they are not shown again.'
const SIGN_IN = 'Now sign in again, with a code of the app.'
const THROW_AWAY = 'Throw away the ones that you had: they do not work any more.'

const refuse = ({ user }: { readonly user: User }) => refuseFactor(user)

/** The authenticator app of an admin. */
export function totpEndpoints(needs: FactorNeeds) {
  const read = readFactor(needs)
  const enrol = enrolFactor(needs)
  const confirm = confirmFactor(needs)
  const renew = renewRecoveryCodes(needs)
  const remove = removeFactor(needs)
  return {
    totpState: {
      refuse,
      handle: async (_, { caller: { user } }) => {
        const { isRequired, factor } = await read(user)
        const data = {
          isEnrolled: factor !== undefined,
          isRequired,
          enrolledAt: factor ? toIso(factor.confirmedAt) : null,
          recoveryCodesLeft: factor?.recoveryCodesLeft ?? 0,
        }
        return { reply: { success: true, data } }
      },
    },
    enrolTotp: {
      refuse,
      handle: async (_, { caller: { user }, client }) => {
        const { secret, uri, expiresAt } = await enrol(user, client)
        return { reply: { success: true, data: { secret, uri, expiresAt: toIso(expiresAt) } } }
      },
    },
    confirmTotp: {
      refuse,
      handle: async ({ code }, { caller: { user }, client }) => {
        const recoveryCodes = [...(await confirm(user, code, client))]
        return { reply: { success: true, data: { recoveryCodes, warning: `${KEEP_THEM} ${SIGN_IN}` } } }
      },
    },
    renewRecoveryCodes: {
      refuse,
      handle: async ({ code }, { caller: { user }, client }) => {
        const recoveryCodes = [...(await renew(user, code, client))]
        return { reply: { success: true, data: { recoveryCodes, warning: `${KEEP_THEM} ${THROW_AWAY}` } } }
      },
    },
    removeTotp: {
      refuse,
      handle: async ({ code }, { caller: { user }, client }) => {
        await remove(user, code, client)
        return { reply: { success: true, data: { status: 'removed' } } }
      },
    },
  } satisfies Endpoints
}
