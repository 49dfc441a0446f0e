import assert from 'node:assert/strict'
import { openTestChain, soon, withStatus } from '../sandbox/test-chain.ts'
import { stakingChainSuite } from './suites/staking-chain.ts'

const STRANGER = `0x${'5'.repeat(64)}`

async function openWorld(isPastMiddle: boolean) {
  const { chain, snapshot, passMiddle } = await openTestChain()
  if (isPastMiddle) passMiddle()
  const { id } = withStatus(await snapshot(), 'active')
  const { delegators } = await chain.delegatorsOf(id, { after: undefined, limit: 1 }, soon())
  const owner = delegators[0]?.owner
  assert(owner, 'somebody stakes there')
  return { chain, owner, stranger: STRANGER, [Symbol.asyncDispose]: async () => {} }
}

stakingChainSuite('sandbox', () => openWorld(false))
stakingChainSuite('sandbox, next committee selected', () => openWorld(true))
