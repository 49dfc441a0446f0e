import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { wholeRuns } from '../../../../test/support/repetitions.ts'
import { isMovable } from '../transaction-parts.ts'
import { inWholeStakes } from './whole-stakes.ts'

const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)

test('amounts are rounded to whole numbers of stakes with the same sum, none off by more than one stake', () => {
  let changed = 0
  fc.assert(
    fc.property(
      fc.bigInt({ min: 10n, max: 19n }),
      fc.array(fc.bigInt({ min: 10n, max: 90n }), { minLength: 1, maxLength: 5 }),
      (most, wanted) => {
        const size = { least: 10n, most }
        const sum = sumOf(wanted)
        if (!isMovable(sum, size)) return
        const staked = inWholeStakes(wanted, size)
        assert.equal(sumOf(staked), sum)
        assert(
          staked.every((amount) => amount === 0n || isMovable(amount, size)),
          String(staked),
        )
        for (const [at, amount] of staked.entries()) {
          const off = amount - (wanted[at] ?? 0n)
          assert(off <= most && off >= -most, `${wanted} became ${staked}`)
        }
        if (String(staked) !== String(wanted)) changed += 1
      },
    ),
    wholeRuns(500),
  )
  assert(changed > 20, `${changed} were changed`)
})
