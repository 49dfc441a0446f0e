import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import type { Unseen } from '../unseen-builds.ts'
import { sumOf } from './amounts.ts'
import { isRaised, type Part, pendingEffects, type Ratio } from './pending-effects.ts'

const IDS = ['a', 'b', 'c', 'd'] as const

const transaction: fc.Arbitrary<Unseen> = fc
  .record({
    changes: fc.uniqueArray(fc.tuple(fc.constantFrom(...IDS), fc.bigInt({ min: -9n, max: 9n })), {
      selector: ([id]) => id,
      maxLength: 4,
    }),
    receiving: fc.subarray([...IDS]),
    settlesAt: fc.nat(5),
  })
  .map(({ changes, receiving, settlesAt }) => ({
    changes: new Map(changes),
    receiving: new Set(receiving.filter((id) => changes.some(([changed]) => changed === id))),
    items: [],
    settlesAt,
  }))

const ratios = fc.constantFrom<Ratio>(
  { over: 1n, under: 3n },
  { over: 3n, under: 10n },
  { over: 99n, under: 100n },
)

const partOf = ({ changes }: Unseen, id: string): Part => ({
  amount: changes.get(id) ?? 0n,
  total: sumOf(changes),
})

test('the sums by validator are those of going through all pending transactions for each validator', () => {
  fc.assert(
    fc.property(fc.array(transaction, { maxLength: 8 }), ratios, (unseen, ratio) => {
      const pending = pendingEffects(unseen, ratio)
      for (const id of IDS)
        for (const moment of [-Infinity, 0, 1, 2, 3, 4, 5, Infinity]) {
          const open = unseen.filter(({ settlesAt }) => settlesAt > moment)
          const parts = open.map((one) => partOf(one, id)).filter((part) => isRaised(part, ratio))
          const { raising, stakes } = pending(id, moment)
          assert.deepEqual(raising, {
            amount: parts.reduce((sum, { amount }) => sum + amount, 0n),
            total: parts.reduce((sum, { total }) => sum + total, 0n),
          })
          assert.deepEqual(
            stakes.map(({ amount, total }) => ({ amount, total })),
            open.filter(({ receiving }) => receiving.has(id)).map((one) => partOf(one, id)),
          )
        }
    }),
    runs(600),
  )
})
