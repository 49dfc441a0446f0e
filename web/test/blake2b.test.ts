import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blake2b256 } from '../src/data/wallets/blake2b.ts'

const hashOf = (length: number) => Buffer.from(blake2b256(new Uint8Array(length))).toString('hex')

test('hashes equal those of other implementations, at lengths around the block size', () => {
  const known = {
    0: '0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8',
    1: '03170a2e7597b7b7e3d84c05391d139a62b157e78786d8c082f29dcf4c111314',
    128: '378d0caaaa3855f1b38693c1d6ef004fd118691c95c959d4efa950d6d6fcf7c1',
    129: 'baadfb64c3bd2cd187b54accc5e61a0720ed86bf48c28017873536cf9015d1b8',
  }
  for (const [length, hash] of Object.entries(known)) assert.equal(hashOf(Number(length)), hash, length)
})
