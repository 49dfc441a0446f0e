import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Holder } from './holder.ts'
import { roomFor } from './room.ts'

const MOST = 10_000
const holderAt = (agentId: string, networkId: string | undefined): Holder => ({
  agentId,
  ownerId: agentId,
  networkId,
  day: 0,
})

test('however many keys twenty network addresses have, a newcomer gets room for ten', () => {
  const uses: { holder: Holder; size: number }[] = []
  for (let network = 0; network < 20; network += 1) {
    for (let key = 0; key < 50; key += 1) {
      const holder = holderAt(`${network} ${key}`, `${network}`)
      const { left } = roomFor(holder, uses, MOST)
      if (left > 0) uses.push({ holder, size: left })
      assert(roomFor(holder, uses, MOST).left <= 0, 'it has taken all that it may')
    }
  }
  assert(roomFor(holderAt('newcomer', 'its own'), uses, MOST).left >= 10)
})

test('the smaller of the shares of a key and of its network address counts, and a simulation has only that of the key', () => {
  const [one, two] = [holderAt('one', 'here'), holderAt('two', 'here')]
  const uses = [
    { holder: undefined, size: 1_000 },
    { holder: one, size: 800 },
    { holder: two, size: 700 },
  ]
  assert.deepEqual(roomFor(one, uses, MOST), { left: 30, of: 'key' })
  assert.deepEqual(roomFor(holderAt('three', 'here'), uses, MOST), { left: 300, of: 'network' })
  assert.deepEqual(roomFor(holderAt('three', undefined), uses, MOST), { left: 750, of: 'key' })
})
