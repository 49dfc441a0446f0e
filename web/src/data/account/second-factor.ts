import type { Reply } from '@stakewright/client'
import { type Loaded, useQuery } from '../query.ts'
import { call } from '../service.ts'
import { act } from './act.ts'
import { OWN_REFRESH_MS } from './own-refresh.ts'
import { unstoredCodes } from './unstored-keys.ts'
import { forgetUser } from './user.ts'

export type FactorState = Reply<'totpState'>['data']
export type NewSecret = Reply<'enrolTotp'>['data']

/** The second factor of an admin. */
export const useFactor = (isAsked: boolean): Loaded<FactorState> =>
  useQuery(
    isAsked
      ? {
          key: 'user/factor',
          ask: async (client) => (await client.totpState()).data,
          everyMs: OWN_REFRESH_MS,
        }
      : undefined,
  )

/** With fewer recovery codes than this the page warns. */
const FEW_CODES = 4
export const hasFewCodes = ({ isEnrolled, recoveryCodesLeft }: FactorState): boolean =>
  isEnrolled && recoveryCodesLeft < FEW_CODES

/** An admin without a required second factor may only set one up. */
export const lacksFactor = ({ data }: Loaded<FactorState>): boolean =>
  data?.isRequired === true && !data.isEnrolled

export const beginEnrolment = async (): Promise<NewSecret> =>
  (await call((client) => client.enrolTotp())).data

/** The service then ends every session of the user: signing in needs a code of the app from now on. */
export async function confirmEnrolment(code: string): Promise<void> {
  const { data } = await call((client) => client.confirmTotp({ code }))
  unstoredCodes.set(data.recoveryCodes)
  forgetUser('by enrolment')
}

export async function renewCodes(code: string): Promise<void> {
  await act(
    (client) => client.renewRecoveryCodes({ code }),
    ({ data }) => unstoredCodes.set(data.recoveryCodes),
  )
}

export const removeApp = (code: string): Promise<void> => act((client) => client.removeTotp({ code }))
