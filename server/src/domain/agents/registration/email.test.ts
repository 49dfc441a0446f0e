import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress, toOwner } from './email.ts'

test('an owner is the address in lower case, and nothing else is changed', () => {
  assert.equal(toOwner('Ann.Lee+Tag@Example.COM'), 'ann.lee+tag@example.com')
})

test('every spelling of a mailbox counts as one', () => {
  for (const [canonical, spellings] of [
    ['ann@example.com', ['Ann@example.com', 'ann+a@example.com', 'ANN+b+c@EXAMPLE.com']],
    ['annlee@gmail.com', ['ann.lee@gmail.com', 'a.n.n.l.e.e+x@googlemail.com', 'AnnLee@GoogleMail.com']],
    ['ann.lee@example.com', ['ann.lee@example.com', 'ann.lee+x@example.com']],
  ] as const) {
    for (const spelling of spellings) assert.equal(canonicalAddress(spelling), canonical, spelling)
  }
})

test('addresses of different people stay different', () => {
  const addresses = [
    'ann@example.com',
    'ann@example.org',
    'an.n@example.com',
    '+ann@example.com',
    '+@example.com',
  ]
  assert.equal(new Set(addresses.map(canonicalAddress)).size, addresses.length)
})

test('what is canonical stays as it is', () => {
  for (const address of ['a.b+c@gmail.com', '+a@gmail.com', 'A@b.c', 'a+@x.y']) {
    assert.equal(canonicalAddress(canonicalAddress(address)), canonicalAddress(address))
  }
})
