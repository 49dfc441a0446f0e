import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rounds } from '../support/repetitions.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import {
  type KnownAgent,
  manage,
  openServices,
  registerAgent,
  statusOf,
  toAgent,
  untilServed,
} from './support/services.ts'

const ROTATIONS = rounds(200)
const IN_FLIGHT = 6

type Use = { readonly apiKey: string; readonly startedAt: number; readonly status: number }

const useKey = async (url: string, apiKey: string) => ({ status: await statusOf(url, apiKey) })

test(`a rotated key is refused on every instance once the rotation is answered: ${ROTATIONS} rotations under load`, async () => {
  await using database = await migratedDatabase()
  await using group = await openServices(3, { DATABASE_URL: database.url })
  const { urls } = group
  let { id, apiKey }: KnownAgent = await registerAgent(urls[0])
  const uses: Use[] = []
  const deadSince = new Map<string, number>()
  let isOver = false
  const load = Array.from({ length: IN_FLIGHT }, async (_, lane) => {
    const url = urls[lane % urls.length] ?? urls[0]
    while (!isOver) {
      const use = { apiKey, startedAt: performance.now() }
      uses.push({ ...use, status: await statusOf(url, use.apiKey) })
    }
  })
  for (let round = 0; round < ROTATIONS; round += 1) {
    const old = apiKey
    const url = urls[round % urls.length] ?? urls[0]
    const response = await untilServed(() => manage(url, `POST ${id}/rotate`, {}))
    assert.equal(response.status, 200)
    apiKey = toAgent(response).apiKey
    deadSince.set(old, performance.now())
    const statuses = await Promise.all(
      urls.flatMap((each) => [old, apiKey].map((key) => untilServed(() => useKey(each, key)))),
    )
    assert.deepEqual(
      statuses.map(({ status }) => status),
      urls.flatMap(() => [401, 200]),
      `rotation ${round}`,
    )
  }
  const revoked = await untilServed(() => manage(urls[1] ?? urls[0], `DELETE ${id}`))
  assert.equal(revoked.status, 200)
  deadSince.set(apiKey, performance.now())
  const refused = await Promise.all(urls.map((url) => untilServed(() => useKey(url, apiKey))))
  assert.deepEqual(
    refused.map(({ status }) => status),
    urls.map(() => 401),
  )
  isOver = true
  await Promise.all(load)
  const late = uses.filter((use) => use.startedAt > (deadSince.get(use.apiKey) ?? Number.POSITIVE_INFINITY))
  assert.deepEqual(
    late.filter(({ status }) => status !== 401 && status !== 503),
    [],
  )
  assert(uses.filter(({ status }) => status === 200).length > ROTATIONS)
})
