import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress, toOwner } from './email.ts'

test('an owner is the address in lower case, otherwise unchanged', () => {
  assert.equal(toOwner('Ann.Lee+Tag@Example.COM'), 'ann.lee+tag@example.com')
})

test('all spellings of a mailbox have the same canonical address', () => {
  for (const [canonical, spellings] of [
    ['ann@example.com', ['Ann@example.com', 'ann+a@example.com', 'ANN+b+c@EXAMPLE.com']],
    ['annlee@gmail.com', ['ann.lee@gmail.com', 'a.n.n.l.e.e+x@googlemail.com', 'AnnLee@GoogleMail.com']],
    ['ann.lee@example.com', ['ann.lee@example.com', 'ann.lee+x@example.com']],
  ] as const) {
    for (const spelling of spellings) assert.equal(canonicalAddress(spelling), canonical, spelling)
  }
})

test('different mailboxes have different canonical addresses', () => {
  const addresses = [
    'ann@example.com',
    'ann@example.org',
    'an.n@example.com',
    '+ann@example.com',
    '+@example.com',
  ]
  assert.equal(new Set(addresses.map(canonicalAddress)).size, addresses.length)
})

test('canonicalAddress is idempotent', () => {
  for (const address of ['a.b+c@gmail.com', '+a@gmail.com', 'A@b.c', 'a+@x.y']) {
    assert.equal(canonicalAddress(canonicalAddress(address)), canonicalAddress(address))
  }
})
