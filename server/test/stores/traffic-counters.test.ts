import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { API, WITH_COUNTERS } from './api-tests.ts'

const SOURCES = join(import.meta.dirname, '..', '..', 'src')

/** `api-tests.ts` rests on it: a second use of Redis needs the tests of the API that go through it. */
test('Redis counts requests and does nothing else', () => {
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

/** A limit that a test means to reach. Others are only put out of the way. */
const LOW_LIMIT = /LIMIT_(?:IP|GLOBAL)_RPM: (?:'\d{1,2}'|[^'])/

test('every test of the API that reaches a limit of requests runs with Redis, too', () => {
  const files = globSync('**/*.test.ts', { cwd: API })
  const reaching = files.filter((file) => LOW_LIMIT.test(readFileSync(join(API, file), 'utf8')))
  assert(reaching.length > 5)
  assert.deepEqual(
    reaching.filter((file) => !WITH_COUNTERS.test(file)),
    [],
  )
})
