import type { Secrets } from '#ports/secrets.ts'
import type { Notice } from '#ports/stores/outbox.ts'
import { truncateAddress } from '../audit/truncate-address.ts'
import { composeNotice } from '../mail/compose-notice.ts'

type SignIn = {
  readonly owner: string
  /** The network address it comes from, as the throttle counts it. */
  readonly ip: string
  readonly now: number
  readonly mailsPerDay: number
}

/** The notice to an owner about the first sign-in from a network. */
export function newNetworkNotice(secrets: Pick<Secrets, 'digest'>, signIn: SignIn): Notice {
  const { owner, ip, now, mailsPerDay } = signIn
  const lines = [
    `Somebody signed in to Stakewright as you, from a network that is new for your address: ${truncateAddress(ip)}.`,
    'If this was not you, somebody can read your mail. Secure your mailbox first; then sign in, end that session and rotate the keys of your agents.',
  ]
  return composeNotice(
    secrets,
    { to: owner, subject: 'A sign-in to Stakewright from a new network', lines },
    { kind: 'new networks', subject: owner, mailsPerDay, now },
  )
}
