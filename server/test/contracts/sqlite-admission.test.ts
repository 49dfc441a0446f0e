import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAdmissionStore, requestOf } from '../limits/admission-store.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { testClock } from '../support/test-clock.ts'
import { addressMemorySuite } from './suites/admission/address-memory.ts'
import { admissionSuite } from './suites/admission/admission.ts'
import { NOON } from './suites/admission/admitting-store.ts'

async function openData() {
  const folder = await tempFolder()
  return {
    open: () => openAdmissionStore(folder.path, testClock()),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

admissionSuite('SQLite', openData)
addressMemorySuite('SQLite', openData)

test('rows of address counts that cannot be parsed are skipped, and the others are read', async () => {
  await using data = await openData()
  await using store = await data.open()
  for (let low = 1; low <= 20; low += 1)
    store.admission.noteAddress({ minuteStart: NOON, low, high: 2, hits: 3 })
  await store.admission.admit(requestOf('', NOON, { claim: { kind: 'nobody' } }))
  await store.store.exclusive((database) => {
    const add = database.prepare('insert into address_journal (minute, body) values (?, ?)')
    for (const body of ['', '[', '7', '{}', '[7, [8], null]']) add.run(NOON, body)
  })
  const counts = await store.admission.addressCounts(NOON)
  assert.deepEqual(
    counts.map(({ low }) => low),
    Array.from({ length: 20 }, (_, place) => place + 1),
  )
})
