import { openPostgresTraffic } from '#adapters/sql/postgres/traffic.ts'
import { openTestPostgres } from '../test-postgres.ts'
import { PER_MINUTE, trafficCountersSuite } from './traffic-counters.ts'

trafficCountersSuite('Postgres', async () => {
  await using opened = new AsyncDisposableStack()
  const store = opened.use(await openTestPostgres())
  const resources = opened.move()
  let opens = 0
  return {
    open(clock) {
      opens += 1
      const needs = { store, clock, instance: `instance ${opens}`, perMinute: PER_MINUTE }
      return resources.use(openPostgresTraffic(needs))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
})
