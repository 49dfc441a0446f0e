import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_AMOUNT, parseAmount, printAmount } from './amount.ts'

test('every amount survives the way through text', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: MAX_AMOUNT }), (amount) => {
      assert.equal(parseAmount(String(amount)), amount)
    }),
  )
})

test('there is one way to write an amount; everything else is refused', () => {
  const refused = [
    '',
    ' 5',
    '5 ',
    '1e9',
    '1,000',
    '0x10',
    '-1',
    '+1',
    '1.0',
    '007',
    '٣',
    '1'.repeat(30),
    '5\n',
  ]
  for (const text of refused) assert.equal(parseAmount(text), undefined, JSON.stringify(text))
  assert.equal(parseAmount(String(MAX_AMOUNT)), MAX_AMOUNT)
  assert.equal(parseAmount(String(MAX_AMOUNT + 1n)), undefined)
})

test('amounts are printed in whole tokens without needless zeros', () => {
  assert.equal(printAmount(1_500_000_000n, 9, 'IKA'), '1.5 IKA')
  assert.equal(printAmount(2_000_000_000n, 9, 'IKA'), '2 IKA')
  assert.equal(printAmount(1n, 9, 'IKA'), '0.000000001 IKA')
  assert.equal(printAmount(7n, 0, 'PTS'), '7 PTS')
})
