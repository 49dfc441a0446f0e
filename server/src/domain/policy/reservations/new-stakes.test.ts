import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StakedToken } from '#ports/chain/staking-chain.ts'
import { recognitionOf } from '../unseen-builds.ts'
import { countNewStakes, indexTokens, possiblyFrom } from './new-stakes.ts'

const EPOCH = 7
const STAKE = { validatorId: 'a', amount: 5n } as const
const NEW: StakedToken = {
  id: 'new',
  owner: 'me',
  validatorId: 'a',
  principal: 5n,
  activationEpoch: EPOCH + 1,
  withdrawEpoch: undefined,
  rewards: 0n,
  shares: undefined,
}

test('a stake is shown by a new, staked token of the same amount and validator that becomes active later', () => {
  const count = (token: Partial<StakedToken>, knownIds: readonly string[] = ['old']) =>
    countNewStakes({ ...STAKE, knownIds }, EPOCH, indexTokens([{ ...NEW, ...token }]))
  assert.equal(count({}), 1)
  assert.equal(count({ activationEpoch: EPOCH + 2 }), 1)
  assert.equal(count({ activationEpoch: EPOCH }), 0)
  assert.equal(count({ principal: 4n }), 0)
  assert.equal(count({ principal: 6n }), 0)
  assert.equal(count({ validatorId: 'b' }), 0)
  assert.equal(count({ withdrawEpoch: EPOCH + 2 }), 0)
  assert.equal(count({}, ['old', 'new']), 0)
})

test('a token may come from a stake if it is new and becomes active in time', () => {
  const isPossible = (token: Partial<StakedToken>, activeBy: number | undefined = EPOCH + 2) => {
    const found = possiblyFrom({ ...STAKE, knownIds: ['old'] }, { epoch: EPOCH, activeBy }, [
      { ...NEW, ...token },
    ])
    return found.length === 1
  }
  assert.equal(isPossible({}), true)
  assert.equal(isPossible({ id: 'old' }), false)
  assert.equal(isPossible({ activationEpoch: EPOCH }), false)
  assert.equal(isPossible({ activationEpoch: EPOCH + 2 }), true)
  assert.equal(isPossible({ activationEpoch: EPOCH + 3 }), false)
  assert.equal(isPossible({ principal: 6n }), true, 'joined to another')
})

test('up to 50 known tokens are stored for a stake; with more, none', () => {
  const marks = (many: number) => {
    const tokens = Array.from({ length: many }, (_, at) => ({ ...NEW, id: `${at}`, principal: BigInt(at) }))
    const others = [
      { ...NEW, id: 'of b', validatorId: 'b' },
      { ...NEW, id: 'active', activationEpoch: EPOCH },
    ]
    return recognitionOf({
      sender: 'me',
      epoch: EPOCH,
      built: [],
      tokens: [...tokens, ...others],
      now: 0,
    })(STAKE)
  }
  assert.deepEqual(marks(50), { alike: 0, knownIds: Array.from({ length: 50 }, (_, at) => `${at}`) })
  assert.deepEqual(marks(51), { alike: undefined })
})
