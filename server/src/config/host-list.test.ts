import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostList } from './host-list.ts'

const { read } = hostList('postgres', 'redis+sentinel')

test('each host becomes a URL with the user and the rest of the list’s URL', () => {
  assert.deepEqual(read('postgres://ann:a%2Cb@one:5432,two:5433/name?sslmode=require'), [
    'postgres://ann:a%2Cb@one:5432/name?sslmode=require',
    'postgres://ann:a%2Cb@two:5433/name?sslmode=require',
  ])
  assert.deepEqual(read('postgres://one/name'), ['postgres://one/name'])
  assert.deepEqual(read('postgres:///name'), ['postgres:///name'])
  assert.deepEqual(read('redis+sentinel://[::1]:1,10.0.0.1:2/mymaster/0'), [
    'redis+sentinel://[::1]:1/mymaster/0',
    'redis+sentinel://10.0.0.1:2/mymaster/0',
  ])
})

test('malformed URLs and other schemes are refused', () => {
  for (const text of ['', 'one', 'mysql://one/name', 'postgres://one:x/name', 'postgres://one:1,two:x/name'])
    assert.equal(read(text), undefined, text)
})
