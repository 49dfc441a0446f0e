import { beginSession } from '../account/user.ts'
import { call } from '../service.ts'
import type { Signer } from './signer.ts'

/** Signs in by signing a text that names this service: it moves nothing and costs nothing. */
export async function signInBySignature(signer: Signer): Promise<void> {
  const account = await signer.connect()
  const { address } = account
  const challenge = await call((client) => client.walletChallenge({ address }))
  const { message, nonce } = challenge.data
  const signature = await account.sign(message)
  const { data } = await call((client) => client.exchangeCode({ address, nonce, signature }))
  beginSession(address, data)
}
