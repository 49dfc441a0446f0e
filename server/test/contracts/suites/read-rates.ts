import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { ReadRates } from '#ports/chain/read-rates.ts'
import type { Snapshots } from '#ports/stores/snapshots.ts'
import { NOW, recordOf, snapshotAt } from './chain-data.ts'

type Opened = AsyncDisposable & { readonly readRates: ReadRates; readonly snapshots: Snapshots }

const rateOf = (tableId: string, epoch: number) => ({
  tableId,
  epoch,
  rate: epoch % 3 === 0 ? undefined : { tokens: 2n ** 70n + BigInt(epoch), shares: BigInt(epoch) },
})
const ratesOf = (tables: number, epochs: number) =>
  Array.from({ length: tables * epochs }, (_, at) =>
    rateOf(`0x${String(Math.floor(at / epochs)).padStart(3, '0')}`, at % epochs),
  )

/** The guarantees of every store of rates. `open` opens an empty one. */
export function readRatesSuite(name: string, open: () => Promise<Opened>): void {
  suite(`read rates: ${name}`, () => {
    test('rates are read back complete and in order, each once, with the epochs that have none', async () => {
      await using store = await open()
      const rates = ratesOf(50, 90)
      assert.deepEqual(await store.readRates.load('ika'), [])
      await store.readRates.add('ika', rates.slice(2_000))
      await store.readRates.add('ika', rates.slice(0, 2_500))
      await store.readRates.add('sui', ratesOf(1, 2))
      assert.deepEqual(await store.readRates.load('ika'), rates)
    })

    test('saving records or clearing deletes the rates of that network only', async () => {
      await using store = await open()
      for (const network of ['ika', 'sui', 'walrus'] as const)
        await store.readRates.add(network, ratesOf(2, 4))
      await store.snapshots.save(snapshotAt('ika', 1), [], 0, NOW)
      assert.deepEqual(await store.readRates.load('ika'), ratesOf(2, 4))
      await store.snapshots.save(snapshotAt('ika', 2), [recordOf('0xa', 1)], 0, NOW)
      await store.readRates.clear('walrus')
      assert.deepEqual(await store.readRates.load('ika'), [])
      assert.deepEqual(await store.readRates.load('walrus'), [])
      assert.deepEqual(await store.readRates.load('sui'), ratesOf(2, 4))
    })
  })
}
