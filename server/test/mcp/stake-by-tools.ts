import assert from 'node:assert/strict'
import type { Mcp } from './mcp-client.ts'
import { openToolReader } from './tool-reader.ts'

const TOKENS = 5_000n

/** Leads an agent that has only an address and an amount to an executed stake, by what the tools say. */
export async function stakeByTools(mcp: Mcp, sender: string): Promise<readonly string[]> {
  const agent = await openToolReader(mcp, { sender, agentName: 'walker' })
  const { decimals } = await agent.find('decimals', 'minStakeAmount')
  const amount = String(TOKENS * 10n ** BigInt(Number(decimals)))
  agent.know('amount', amount)
  const { status: outcome, created } = await agent.use('commands')
  assert.equal(outcome, 'done', agent.calls.join(', '))
  assert.equal((created as readonly unknown[]).length, 1)
  agent.know('owner', sender)
  const { positions } = await agent.find('positions', 'principal')
  const [position] = positions as readonly { readonly principal: string }[]
  assert.equal(position?.principal, amount)
  return agent.calls
}
