import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listText } from './list-text.ts'

const counting = () => {
  const count = { written: 0, read: 0 }
  const numbers = listText<number>({
    write: (list) => {
      count.written += 1
      return list.join()
    },
    read: (text) => {
      count.read += 1
      return text.split(',').map(Number)
    },
  })
  return { count, numbers }
}

test('each text is parsed once, and a parsed list is not serialized again', () => {
  const { count, numbers } = counting()
  const list = numbers.read('1,2')
  assert.deepEqual(list, [1, 2])
  assert.equal(numbers.read(['1', '2'].join()), list)
  assert.equal(numbers.write(list), '1,2')
  assert.equal(numbers.write([1, 2]), '1,2')
  assert.deepEqual(count, { written: 1, read: 1 })
})

test('the cache keeps the lists that were used most recently', () => {
  const { count, numbers } = counting()
  for (let at = 0; at <= 1_000; at += 1) {
    numbers.read(`${at}`)
    numbers.read('0')
  }
  assert.equal(count.read, 1_001)
  numbers.read('2')
  assert.equal(count.read, 1_001)
  assert.deepEqual(numbers.read('1'), [1])
  assert.equal(count.read, 1_002)
})
