/** The answers that agents request most often by MCP: one list for the test of their cost and for the benchmark. */

/** Upper bound of the tokens (o200k) of each answer. */
export const TOKEN_GOAL = 1_500

const OWNER = `0x${'a1'.repeat(32)}`

export type Answer = { readonly text: string; readonly data: Readonly<Record<string, unknown>> }
export type Ask = (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>

/** The calls of one agent, from its key to a built batch. */
export async function usualAnswers(ask: Ask): Promise<readonly (readonly [string, Answer])[]> {
  const issued = await ask('sandbox_key', { agentName: 'counted' })
  const { apiKey } = issued.data['data'] as { readonly apiKey: string }
  const allocated = await ask('allocate', {
    apiKey,
    amount: '50000000000000000',
    maxValidators: 5,
    explain: true,
  })
  const [chosen] = allocated.data['allocations'] as readonly {
    readonly validatorId: string
    readonly amount: string
  }[]
  if (chosen === undefined) throw new Error('an allocation has at least one validator')
  const { validatorId, amount } = chosen
  const stake = await ask('build_stake', { apiKey, validatorId, amount, sender: OWNER })
  await ask('sandbox_execute', { apiKey, sender: OWNER, commands: stake.data['commands'] })
  await ask('sandbox_advance', { apiKey, epochs: 3 })
  const positions = await ask('positions', { apiKey, owner: OWNER })
  const [{ stakedTokenId }] = positions.data['positions'] as readonly [{ readonly stakedTokenId: string }]
  const items = [
    { action: 'stake', validatorId, amount },
    { action: 'unstake', stakedTokenId, amount: '10000000000' },
  ]
  return [
    ['validators', await ask('validators')],
    ['validator', await ask('validator', { id: validatorId })],
    ['validator_apy_history', await ask('validator_apy_history', { id: validatorId })],
    ['epoch', await ask('epoch')],
    ['metadata', await ask('metadata', { apiKey })],
    ['scored_validators', await ask('scored_validators', { apiKey })],
    ['allocate', allocated],
    ['plan_rebalance', await ask('plan_rebalance', { apiKey, owner: OWNER })],
    ['positions', positions],
    ['build_stake', stake],
    ['build_unstake', await ask('build_unstake', { apiKey, stakedTokenId, sender: OWNER })],
    ['build_batch', await ask('build_batch', { apiKey, items, sender: OWNER })],
  ]
}
