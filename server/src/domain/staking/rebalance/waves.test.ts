import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import { smaller } from '../../amount.ts'
import { stakeInWaves } from './waves.ts'

const LEAST = 10n

test('coins are staked when they arrive, the first target first; too few coins wait', () => {
  const wanted = [
    { target: 'a', amount: 50n },
    { target: 'b', amount: 30n },
  ]
  const arrivals = [
    { atEpoch: 7, amount: 25n },
    { atEpoch: 5, amount: 55n },
  ]
  assert.deepEqual(stakeInWaves(arrivals, wanted, LEAST), [
    { target: 'a', amount: 50n, atEpoch: 5 },
    { target: 'b', amount: 30n, atEpoch: 7 },
  ])
})

test('every target gets its amount, no stake is too small, and none is made before its coins arrive', () => {
  const amounts = fc.array(fc.bigInt({ min: LEAST, max: 200n }), { minLength: 1, maxLength: 6 })
  const parts = fc.array(fc.tuple(fc.nat(4), fc.bigInt({ min: 1n, max: 100n })), { maxLength: 8 })
  fc.assert(
    fc.property(amounts, parts, (wishes, cuts) => {
      const total = wishes.reduce((sum, amount) => sum + amount, 0n)
      const wanted = wishes.map((amount, target) => ({ target, amount }))
      const arrivals: { atEpoch: number; amount: bigint }[] = []
      let left = total
      for (const [atEpoch, amount] of cuts) {
        const part = smaller(amount, left)
        arrivals.push({ atEpoch, amount: part })
        left -= part
      }
      arrivals.push({ atEpoch: 5, amount: left })
      const stakes = stakeInWaves(arrivals, wanted, LEAST)
      assert.ok(stakes.every(({ amount }) => amount >= LEAST))
      for (const { target, amount } of wanted) {
        const staked = stakes.filter((stake) => stake.target === target)
        assert.equal(
          staked.reduce((sum, stake) => sum + stake.amount, 0n),
          amount,
        )
      }
      for (let epoch = 0; epoch <= 5; epoch++) {
        const upTo = (list: readonly { atEpoch: number; amount: bigint }[]) =>
          list.reduce((sum, { atEpoch, amount }) => sum + (atEpoch <= epoch ? amount : 0n), 0n)
        assert.ok(upTo(stakes) <= upTo(arrivals))
      }
    }),
    runs(500),
  )
})
