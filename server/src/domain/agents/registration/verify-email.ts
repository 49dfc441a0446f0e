import type { Clock } from '#ports/clock.ts'
import type { Secrets } from '#ports/secrets.ts'
import type { Agents } from '#ports/stores/agents.ts'
import type { SignInCodes } from '#ports/stores/users.ts'
import { Fault } from '../../../fault.ts'
import { digestAddress, digestNetwork } from '../../users/sign-in-code.ts'
import { TRANSITIONS } from '../agent-state.ts'
import { type CurrentAgent, currentAgent } from '../current-agent.ts'
import type { Tiers } from '../tier.ts'
import { noRoom, roomAt } from './owner-room.ts'

type Needs = {
  readonly agents: Agents
  readonly codes: Pick<SignInCodes, 'rememberNetwork'>
  readonly secrets: Secrets
  readonly clock: Clock
  readonly tiers: Tiers
  readonly perOwner: number
}

const UNUSABLE =
  'This link does not work, or not any more. Have a new one sent with POST /api/v1/agents/verify/resend, or register again.'

/** Unknown, expired and mistyped tokens get one answer: it tells nobody which of them ever existed. */
export function verifyEmail({ agents, codes, secrets, clock, tiers, perOwner }: Needs) {
  return async (token: string, ip: string): Promise<CurrentAgent> => {
    const now = clock.now()
    const room = roomAt(perOwner, now)
    const agent = await agents.verify(secrets.digest('token', token), TRANSITIONS.verify, now, room)
    if (agent === 'no_room') throw noRoom(perOwner)
    if (!agent) throw new Fault('invalid_input', UNUSABLE)
    await codes.rememberNetwork({
      addressDigest: digestAddress(secrets, agent.owner),
      networkDigest: digestNetwork(secrets, agent.owner, ip),
      now,
    })
    return currentAgent(agent, tiers, now)
  }
}
