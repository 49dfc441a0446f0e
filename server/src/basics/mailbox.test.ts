import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalAddress } from './mailbox.ts'

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

test('the address of a wallet is its own canonical address', () => {
  const wallet = `0x${'a1'.repeat(32)}`
  assert.equal(canonicalAddress(wallet), wallet)
})
