import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberVariable } from './number-variable.ts'

test('a variable of the tests that is no positive number is refused with its name', () => {
  const name = 'NUMBER_OF_THIS_TEST'
  assert.equal(numberVariable(name, 3), 3)
  for (const [text, value] of [
    ['50', 50],
    ['0.1', 0.1],
  ] as const) {
    process.env[name] = text
    assert.equal(numberVariable(name, 3), value)
  }
  for (const text of ['', 'fifty', '0', '-1', 'Infinity', '5x']) {
    process.env[name] = text
    assert.throws(() => numberVariable(name, 3), /NUMBER_OF_THIS_TEST must be a positive number/, text)
  }
  delete process.env[name]
})
