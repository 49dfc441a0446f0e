import type { SuiGrpcClient } from '@mysten/sui/grpc'
import type { SignedText, ZkLogins } from '#ports/chain/wallets.ts'
import { Fault } from '../../fault.ts'
import { forRequest } from './connection/attempt.ts'
import type { Endpoints } from './connection/endpoints.ts'

type Verdict = Awaited<ReturnType<ZkLogins['check']>>

/**
 * Asks every available node. One node that finds the signature invalid outweighs all others, because a lying node could
 * otherwise give a wallet's agents to a stranger.
 */
export const zkLoginsOf = (endpoints: Pick<Endpoints, 'askEach'>): ZkLogins => ({
  async check(signed, deadline) {
    const answers = await endpoints.askEach(
      forRequest((talk) => checkOn(talk.sdk().client, signed)),
      deadline,
    )
    const verdicts = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    const found = VERDICTS.find((verdict) => verdicts.includes(verdict))
    if (found) return found
    throw new Fault('rpc_unavailable', 'The signature cannot be checked right now; try again shortly.', {
      cause: answers,
      retryAfterSeconds: RETRY_SECONDS,
    })
  },
})

/** In order of precedence: the result is the first verdict of this list that any node gave. */
const VERDICTS: readonly Verdict[] = ['not_signed', 'signed', 'not_offered']
const RETRY_SECONDS = 5

/** The library is loaded with the first signature, as in `wallet-signatures.ts`. */
async function checkOn(client: SuiGrpcClient, { message, signature, address }: SignedText): Promise<Verdict> {
  const { isValidPersonalMessageSignature } = await import('@mysten/sui/verify')
  try {
    const bytes = new TextEncoder().encode(message)
    const isSigned = await isValidPersonalMessageSignature(bytes, signature, { address, client })
    return isSigned ? 'signed' : 'not_signed'
  } catch (cause) {
    const verdict = verdictOf(cause)
    if (verdict) return verdict
    throw cause
  }
}

/** The verdict by the gRPC code of a refusal; undefined for a failure of the node. */
function verdictOf(cause: unknown): Verdict | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (['UNIMPLEMENTED', 'PERMISSION_DENIED'].includes(code) || cause.message.startsWith('HTTP 404'))
    return 'not_offered'
  return code === 'INVALID_ARGUMENT' ? 'not_signed' : undefined
}
