import type { Origin } from '#domain/agents/manager.ts'
import type { exchangeCode } from '#domain/users/exchange-code.ts'
import type { requestCode } from '#domain/users/request-code.ts'
import type { WalletProof } from '#domain/users/wallet-proof.ts'
import type { UserTokens } from '#ports/stores/users.ts'
import type { Endpoints } from '../../endpoint.ts'
import { toWalletProof } from '../shapes.ts'

type Needs = {
  readonly requestCode: ReturnType<typeof requestCode>
  readonly exchangeCode: ReturnType<typeof exchangeCode>
  readonly exchangeSignature: (
    proof: WalletProof,
    origin: Origin,
    deadline: AbortSignal,
  ) => ReturnType<UserTokens['issue']>
}

const ON_ITS_WAY =
  'A code is on its way to this address. If many were sent to it lately, none is added: then use the long code of an earlier mail, which works for six hours, until a code of that mail is used.'

/** Sign-in of a user: gives the token for the management endpoints. */
export function signInEndpoints({ requestCode, exchangeCode, exchangeSignature }: Needs) {
  return {
    requestCode: {
      handle: async ({ email }, { client }) => {
        await requestCode({ email, ip: client })
        return { reply: { success: true, data: { message: ON_ITS_WAY } } }
      },
    },
    exchangeCode: {
      handle: async (input, { client, via, signal }) => {
        const { email, code, totp } = input
        const { token, expiresInSeconds } =
          email === undefined || code === undefined
            ? await exchangeSignature(toWalletProof(input), { client, via }, signal())
            : await exchangeCode({ email, code, totp, ip: client, via })
        return {
          reply: {
            success: true,
            data: { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds },
          },
        }
      },
    },
  } satisfies Endpoints
}
