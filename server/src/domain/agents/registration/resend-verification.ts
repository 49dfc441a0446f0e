import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents } from '#ports/stores/agents.ts'
import { toOwner } from './email.ts'
import { newVerification, type VerificationRules } from './verification.ts'

type Needs = {
  readonly agents: Agents
  readonly secrets: Secrets
  readonly clock: Clock
  readonly verification: VerificationRules
}

/** Mails a new link. The answer does not reveal whether an unverified agent with this address exists. */
export function resendVerification({ agents, secrets, clock, verification }: Needs) {
  return async (email: string, ip: string): Promise<void> => {
    const now = clock.now()
    const owner = toOwner(email)
    await agents.renewVerification({
      owner,
      now,
      ...newVerification(secrets, verification, { owner, ip }, now),
    })
  }
}
