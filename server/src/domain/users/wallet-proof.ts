import type { WalletChallenges, WalletSignatures, ZkLogins } from '#ports/chain/wallets.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../fault.ts'

type Needs = {
  readonly challenges: WalletChallenges
  readonly signatures: WalletSignatures
  /** Undefined where the network has no full nodes. */
  readonly zkLogins: ZkLogins | undefined
  readonly secrets: Secrets
  readonly clock: Clock
  /** Where the service is reached, which a wallet shows to its owner. */
  readonly publicUrl: () => string
  readonly challengeMs: number
}

export type WalletProof = { readonly address: string; readonly nonce: string; readonly signature: string }

export type Challenge = { readonly message: string; readonly nonce: string; readonly expiresAt: number }

/** A text for the wallet to sign. It names the service and the address, so it proves nothing anywhere else. */
export function issueChallenge({ challenges, secrets, clock, publicUrl, challengeMs }: Needs) {
  return async (address: string): Promise<Challenge> => {
    const now = clock.now()
    const nonce = secrets.newToken()
    const expiresAt = now + challengeMs
    const message = challengeText({ url: publicUrl(), address, nonce, now, expiresAt })
    await challenges.issue({ nonce, address, message, expiresAt, now })
    return { message, nonce, expiresAt }
  }
}

/** Returns when the signature proves the address. The challenge is used up, unless nobody could check the signature. */
export function proveWallet({ challenges, signatures, zkLogins, clock }: Needs) {
  return async (proof: WalletProof, deadline: AbortSignal): Promise<void> => {
    const { address, nonce, signature } = proof
    if (isZkLogin(signature)) return proveLogin(proof, deadline)
    const message = await challenges.redeem(nonce, address, clock.now())
    if (message !== undefined && (await signatures.isSigned(message, signature, address))) return
    throw unproven()
  }

  async function proveLogin({ address, nonce, signature }: WalletProof, deadline: AbortSignal) {
    if (!zkLogins) throw noZkLogin()
    const message = await challenges.read(nonce, address, clock.now())
    if (message === undefined) throw unproven()
    const verdict = await zkLogins.check({ message, signature, address }, deadline)
    if (verdict === 'not offered') throw noZkLogin()
    // Only one of several concurrent tries redeems the challenge.
    const redeemed = await challenges.redeem(nonce, address, clock.now())
    if (redeemed === undefined || verdict !== 'signed') throw unproven()
  }
}

const unproven = () =>
  new Fault(
    'unauthorized',
    'The signature does not prove this address, or its challenge is used or over. Get a new one with POST /api/v1/agents/challenge, and sign its message as a personal message.',
  )

/** The first byte of a signature names its scheme. */
const ZK_LOGIN = 0x05
const isZkLogin = (signature: string): boolean => Buffer.from(signature, 'base64')[0] === ZK_LOGIN

const noZkLogin = () => {
  const fix = 'Sign with a key pair, a passkey or a multisig of them, or register by mail.'
  return new Fault(
    'unauthorized',
    `This is a zkLogin signature. It can be checked only by a full node that verifies them, and this service has none. ${fix}`,
    { fix },
  )
}

function challengeText(parts: {
  readonly url: string
  readonly address: string
  readonly nonce: string
  readonly now: number
  readonly expiresAt: number
}): string {
  return [
    `${new URL(parts.url).host} asks you to prove that this Sui address is yours:`,
    parts.address,
    '',
    'Signing this text moves nothing and costs nothing.',
    '',
    `URI: ${parts.url}`,
    `Nonce: ${parts.nonce}`,
    `Issued at: ${new Date(parts.now).toISOString()}`,
    `Expires at: ${new Date(parts.expiresAt).toISOString()}`,
  ].join('\n')
}
