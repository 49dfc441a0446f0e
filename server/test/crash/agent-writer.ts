/** Registers, verifies, rotates and revokes agents in four endless loops; prints each step once it is acknowledged. */

import { openIdentity, registration, tokenIn, userOf } from '../agents/identity.ts'
import type { AgentStep } from './agent-step.ts'

const [folder = '', round = ''] = process.argv.slice(2)
/** Stands still, so that all counts fall into one window. */
const clock = { now: () => Date.UTC(2026, 0, 31, 12) }
const identity = await openIdentity(folder, { clock })
const acknowledge = (step: AgentStep) => console.log(JSON.stringify(step))

async function manageOneAgent(name: string, isRevoked: boolean): Promise<void> {
  const email = `${name}@example.com`
  const { agent, apiKey } = await identity.selfRegister(registration(email))
  acknowledge({ kind: 'registered', apiKey })
  const mail = (await identity.mails()).find(({ to }) => to === email)
  await identity.verifyEmail(tokenIn(mail?.text ?? ''))
  acknowledge({ kind: 'verified', apiKey })
  const rotated = await identity.rotateKey(userOf(email), agent.id, 0)
  acknowledge({ kind: 'rotated', apiKey: rotated.apiKey, previous: apiKey })
  if (!isRevoked) return
  await identity.revokeAgent(userOf(email), agent.id)
  acknowledge({ kind: 'revoked', apiKey: rotated.apiKey })
}

async function runLane(lane: number): Promise<void> {
  for (let life = 0; ; life += 1) await manageOneAgent(`r${round}-${lane}-${life}`, life % 2 === 0)
}

await Promise.all([0, 1, 2, 3].map(runLane))
