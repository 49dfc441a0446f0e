import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isTransaction } from '../src/index.ts'
import { honestTransactions } from './support/honest.ts'

const FORMS: Readonly<Record<string, (bytes: Uint8Array) => unknown>> = {
  base64: (bytes) => Buffer.from(bytes).toString('base64'),
  'base64 in lines': (bytes) => Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\r\n'),
  base64url: (bytes) => Buffer.from(bytes).toString('base64url'),
  'a data URL': (bytes) => `data:application/octet-stream;base64,${Buffer.from(bytes).toString('base64')}`,
  'base64 in words': (bytes) => `Sign this: ${Buffer.from(bytes).toString('base64')}. Thank you.`,
  hex: (bytes) => Buffer.from(bytes).toString('hex'),
  '0x and hex': (bytes) => `0x${Buffer.from(bytes).toString('hex').toUpperCase()}`,
  'hex with colons': (bytes) =>
    Buffer.from(bytes)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
  'a list': (bytes) => [...bytes],
  'a list of texts': (bytes) => [...bytes].map(String),
  'a typed array as JSON': (bytes) => JSON.parse(JSON.stringify(Uint8Array.from(bytes))),
  'numbers in a text': (bytes) => bytes.join(', '),
  'a list in a text': (bytes) => `bytes = [${bytes.join()}]`,
  'a binary string': (bytes) => Buffer.from(bytes).toString('latin1'),
  'JSON in a text': (bytes) => JSON.stringify({ a: [{ b: Buffer.from(bytes).toString('base64') }] }),
  'JSON in JSON in a text': (bytes) =>
    JSON.stringify({ a: JSON.stringify({ b: Buffer.from(bytes).toString('hex') }) }),
  'behind the intent of a signature': (bytes) => Buffer.from([0, 0, 0, ...bytes]).toString('base64'),
  'a signed transaction': (bytes) => Buffer.from([1, 0, 0, 0, ...bytes, 1, 97, 1]).toString('base64'),
}

test('every transaction of every network is recognized in every encoding', async () => {
  let count = 0
  for (const { name, transaction } of await honestTransactions()) {
    if (typeof transaction !== 'string') {
      const text = JSON.stringify(transaction)
      for (const form of [transaction, text, JSON.stringify({ a: text }), `so: ${text}, and ${text}`])
        assert(isTransaction(form), name)
      continue
    }
    const bytes = Buffer.from(transaction, 'base64')
    for (const [form, carry] of Object.entries(FORMS)) assert(isTransaction(carry(bytes)), `${name}: ${form}`)
    count += 1
  }
  assert(count > 50, `${count}`)
})

test('ids, digests, signatures and plain text are not taken for a transaction', () => {
  const hex = fc
    .uint8Array({ minLength: 0, maxLength: 39 })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
  const signature = fc
    .uint8Array({ minLength: 64, maxLength: 64 })
    .map((bytes) => Buffer.from(bytes).toString('base64url'))
  const other = fc.oneof(
    hex,
    signature,
    fc.lorem({ maxCount: 60 }),
    fc.jsonValue(),
    fc.string({ maxLength: 300 }),
  )
  fc.assert(fc.property(other, (value) => !isTransaction(value)))
})
