import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API, WITH_COUNTERS } from './api-tests.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'src')

/** `api-tests.ts` relies on it: another use of Redis would need more tests of the API to run with Redis. */
test('Redis is used for counting requests only', () => {
  const files = globSync('**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts', 'adapters/redis/**'] })
  const uses = files.flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    return [...text.matchAll(/import (?!type )[^']*'(#adapters\/redis\/[^']+|ioredis)'/g)].map(
      ([, module = '']) => `${file}: ${module}`,
    )
  })
  assert.deepEqual(uses.sort(), [
    'wiring/open-postgres.ts: #adapters/redis/open-redis.ts',
    'wiring/open-postgres.ts: #adapters/redis/redis-traffic.ts',
  ])
})

/** A limit so low that the test means to reach it. Higher limits only keep the throttle out of the way. */
const LOW_LIMIT = /LIMIT_(?:IP|GLOBAL)_RPM: (?:'\d{1,2}'|[^'])/

test('every test of the API that reaches a request limit also runs with Redis', () => {
  const files = globSync('**/*.test.ts', { cwd: API })
  const reaching = files.filter((file) => LOW_LIMIT.test(readFileSync(join(API, file), 'utf8')))
  assert(reaching.length > 5)
  assert.deepEqual(
    reaching.filter((file) => !WITH_COUNTERS.test(file)),
    [],
  )
})
