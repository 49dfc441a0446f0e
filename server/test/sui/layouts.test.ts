import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ikaWorld } from '../fake-full-node/ika-world.ts'
import { sampleNetwork, VALIDATORS } from '../fake-full-node/sample-network.ts'
import { walrusWorld } from '../fake-full-node/walrus-world.ts'
import { partOf, type World } from '../fake-full-node/world.ts'

function digestOf(world: World): string {
  const hash = createHash('sha256')
  // What validators say about themselves was not compared.
  const apart = new Set(Object.values(VALIDATORS).map((id) => partOf(id, 'metadata')))
  for (const { contents, owner } of world.objects.values()) {
    if (owner.kind !== 'object' || !apart.has(owner.id)) hash.update(contents)
  }
  return hash.digest('hex')
}

/**
 * The bytes of these worlds were read and written back unchanged with the generated layouts of the published SDKs
 * (`@ika.xyz/sdk` 0.4.1, every object; `@mysten/walrus` 1.2.13, its staking object, state and pools). A digest that
 * changes means that a layout, or the sample, is no longer the one that was compared.
 */
test('the layouts are byte for byte those that were compared with the published SDKs', () => {
  const network = sampleNetwork({ nextCommitteeSelected: true, reported: [] })
  assert.deepEqual([ikaWorld(network), walrusWorld(network)].map(digestOf), [
    'eeaa29a1c882cfffa490741033d16a89ee520899ff05f0afae90d800c6d4a994',
    'b091958c8255e28aa0a67512db19f72be849933e69c101abec2db556a2c24947',
  ])
})
