import type {
  RedeemedChallenge,
  SignedText,
  WalletChallenges,
  WalletSignatures,
  ZkLogins,
} from '#ports/chain/wallets.ts'
import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import { call, Fault, refusal } from '../../fault.ts'

type Needs = {
  readonly challenges: WalletChallenges
  readonly signatures: WalletSignatures
  /** Undefined if the network has no full nodes. */
  readonly zkLogins: ZkLogins | undefined
  readonly secrets: Secrets
  readonly clock: Clock
  /** The public URL of the service, which the signed text contains. */
  readonly publicUrl: () => string
  readonly challengeMs: number
}

export type WalletProof = { readonly address: string; readonly nonce: string; readonly signature: string }

type Challenge = { readonly message: string; readonly nonce: string; readonly expiresAt: number }

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

/**
 * Calls `use` if the signature proves the address. `use` redeems the challenge in the same commit as its own change,
 * so a refused or failed change leaves the challenge usable; it returns undefined if the challenge was redeemed
 * meanwhile. A wrong signature uses up the challenge, unless the signature could not be checked.
 */
export function proveWallet({ challenges, signatures, zkLogins, clock }: Needs) {
  return async <Used>(
    { address, nonce, signature }: WalletProof,
    deadline: AbortSignal,
    use: (challenge: RedeemedChallenge) => Promise<Used | undefined>,
  ): Promise<Used> => {
    if (isZkLogin(signature) && !zkLogins) throw noZkLogin()
    const message = await challenges.read(nonce, address, clock.now())
    if (message === undefined) throw unproven()
    const isSigned = await isSignedText({ message, signature, address }, deadline)
    const challenge = { nonce, address, now: clock.now() }
    if (!isSigned) await challenges.redeem(challenge)
    const used = isSigned ? await use(challenge) : undefined
    if (used === undefined) throw unproven()
    return used
  }

  async function isSignedText(signed: SignedText, deadline: AbortSignal): Promise<boolean> {
    const { message, signature, address } = signed
    if (!zkLogins || !isZkLogin(signature)) return signatures.isSigned(message, signature, address)
    const verdict = await zkLogins.check(signed, deadline)
    if (verdict === 'not_offered') throw noZkLogin()
    return verdict === 'signed'
  }
}

const unproven = () =>
  refusal(
    'unauthorized',
    'The signature does not prove this address, or its challenge is used or expired.',
    `Get a new one with ${call('walletChallenge')}, and sign its message as a personal message.`,
    { next: { endpoint: 'walletChallenge' } },
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
