import { LIMITS, TIERS } from '@stakewright/contract'
import { revokeSandboxKeys } from '#domain/agents/registration/sandbox-keys.ts'
import type { Wired } from './wired.ts'

export const sandboxKeys = ({ runtime: { clock }, parts: { agents, secrets } }: Wired) => ({
  agents,
  secrets,
  clock,
  tiers: TIERS,
  perIpHour: LIMITS.sandboxKeysPerIpHour,
  limits: { rpm: LIMITS.sandboxKeyPerMinute, rpd: LIMITS.sandboxKeyPerDay },
})

/** Keys of the sandbox must not work on a real network that uses the same store. */
export async function endSandboxKeys(wired: Wired): Promise<void> {
  if (wired.parts.sandbox) return
  const revoked = await revokeSandboxKeys(sandboxKeys(wired))()
  if (revoked > 0)
    wired.runtime.logger.warn('sandbox keys were revoked: this network is not the sandbox', { revoked })
}
