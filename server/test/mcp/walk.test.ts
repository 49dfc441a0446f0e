import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, ERAS, type Revision } from './mcp-client.ts'

const OWNER = `0x${'a1'.repeat(32)}`

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: tools alone lead from nothing to an executed stake and back to coins`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { data: issued } = await mcp.call('sandbox_key', { agentName: 'walker' })
    const { apiKey } = issued['data'] as { readonly apiKey: string }
    const call = async (name: string, args: Readonly<Record<string, unknown>>) => {
      const result = await mcp.call(name, { ...args, apiKey })
      assert(!result.isError, `${name}: ${result.text}`)
      return result.data
    }

    const { allocations } = await call('allocate', { amount: '5000000000000', maxValidators: 1 })
    const [chosen] = allocations as readonly { readonly validatorId: string; readonly amount: string }[]
    assert(chosen)
    const built = await call('build_stake', { ...pick(chosen), sender: OWNER })
    const staked = await call('sandbox_execute', { sender: OWNER, commands: built['commands'] })
    assert.equal(staked['status'], 'done')
    await call('sandbox_advance', { epochs: 3 })

    const held = await call('positions', { owner: OWNER })
    const [position] = held['positions'] as readonly {
      readonly stakedTokenId: string
      readonly rewards: string
    }[]
    assert(position && BigInt(position.rewards) > 0n, 'the stake has earned')
    const { stakedTokenId } = position
    const unstake = await call('build_unstake', { stakedTokenId })
    await call('sandbox_execute', { sender: OWNER, commands: unstake['commands'] })
    await call('sandbox_advance', { epochs: 3 })
    const withdraw = await call('build_withdraw', { stakedTokenId })
    const paid = await call('sandbox_execute', { sender: OWNER, commands: withdraw['commands'] })
    assert(BigInt(String(paid['coinsPaidOut'])) > 5_000_000_000_000n)
  })
}

const pick = ({ validatorId, amount }: { readonly validatorId: string; readonly amount: string }) => ({
  validatorId,
  amount,
})
