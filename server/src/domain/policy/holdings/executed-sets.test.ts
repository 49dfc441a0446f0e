import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import type { Unseen } from '../unseen-builds.ts'
import { type Amounts, changed } from './amounts.ts'
import { sizesOfSets } from './executed-sets.ts'

const ids = fc.constantFrom('a', 'b', 'c', 'd')
const amounts = (min: bigint) =>
  fc
    .uniqueArray(fc.tuple(ids, fc.bigInt({ min, max: 4n })), { selector: ([id]) => id })
    .map((list) => new Map(list))

/** A transaction that takes the whole token of this number, if there is one. */
const transaction: fc.Arbitrary<Unseen> = fc
  .record({ changes: amounts(-4n), token: fc.option(fc.constantFrom('t1', 't2'), { nil: undefined }) })
  .map(({ changes, token }) => ({
    changes,
    receiving: new Set(),
    settlesAt: 0,
    items: [
      {
        action: token ? 'unstake' : 'stake',
        validatorId: 'a',
        amount: 4n,
        token: token && { id: token, principal: 4n },
        alike: undefined,
      },
    ],
  }))

test('the size for each set is that of applying its transactions one by one; two for one token are impossible', () => {
  fc.assert(
    fc.property(amounts(1n), fc.array(transaction, { maxLength: 6 }), (held, open) => {
      const sizes = sizesOfSets(held, open)
      assert.equal(sizes.length, 2 ** open.length)
      for (const [set, size] of sizes.entries()) {
        const ran = open.filter((_, at) => (set & (1 << at)) !== 0)
        const tokens = ran.flatMap(({ items }) => items.flatMap(({ token }) => token?.id ?? []))
        const isPossible = new Set(tokens).size === tokens.length
        const after = ran.reduce<Amounts>((state, { changes }) => changed(state, changes), held)
        assert.equal(size, isPossible ? after.size : undefined)
      }
    }),
    runs(300),
  )
})
