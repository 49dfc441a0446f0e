import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findViolations } from './check-history.ts'
import type { Event, FinalState, Status } from './history.ts'

const call = (key: string, startedAt: number, status: Status, window = '60'): Event => ({
  kind: 'call',
  url: 'http://one',
  agent: 'a',
  key,
  window,
  startedAt,
  endedAt: startedAt + 1,
  status,
})
const HISTORY: readonly Event[] = [
  { kind: 'register', agent: 'a', key: 'one', startedAt: 0, endedAt: 1, status: 201 },
  call('one', 2, 200),
  call('one', 4, 503),
  { kind: 'rotate', agent: 'a', oldKey: 'one', key: undefined, startedAt: 6, endedAt: 7, status: 'cut' },
  call('one', 8, 401),
  { kind: 'rotate', agent: 'a', oldKey: 'one', key: 'two', startedAt: 10, endedAt: 11, status: 200 },
  call('one', 12, 401),
  call('two', 14, 200),
]
const FINAL: FinalState = {
  logged: new Map([['a', 2]]),
  agents: new Set(['a']),
  isLogIntact: true,
  keys: new Map<string, Status>([
    ['one', 401],
    ['two', 200],
  ]),
}
const LIMITS = new Map([['a', 2]])

test('a history without violations passes the checker', () => {
  assert.deepEqual(findViolations({ events: HISTORY, final: FINAL, limits: LIMITS }), [])
  const unsure = { ...FINAL, logged: new Map([['a', 3]]) }
  assert.deepEqual(findViolations({ events: HISTORY, final: unsure, limits: LIMITS }), [])
})

const BROKEN: readonly (readonly [RegExp, readonly Event[], Partial<FinalState>])[] = [
  [/dead key of a was served/, [call('one', 20, 200)], { logged: new Map([['a', 3]]) }],
  [/living key of a was refused/, [call('two', 20, 401)], {}],
  [/served 3 times, 2 are allowed/, [call('two', 20, 200)], { logged: new Map([['a', 3]]) }],
  [/but 1 are in the log/, [], { logged: new Map([['a', 1]]) }],
  [/but 4 are in the log/, [], { logged: new Map([['a', 4]]) }],
  [/registration of a was lost/, [], { agents: new Set() }],
  [
    /dead key of a gets 200/,
    [],
    {
      keys: new Map<string, Status>([
        ['one', 200],
        ['two', 200],
      ]),
    },
  ],
  [
    /living key of a gets 401/,
    [],
    {
      keys: new Map<string, Status>([
        ['one', 401],
        ['two', 401],
      ]),
    },
  ],
  [/answered with 500/, [call('two', 20, 500)], {}],
  [/log is broken/, [], { isLogIntact: false }],
]

for (const [violation, more, changed] of BROKEN) {
  test(`the checker finds: ${violation.source}`, () => {
    const found = findViolations({
      events: [...HISTORY, ...more],
      final: { ...FINAL, ...changed },
      limits: LIMITS,
    })
    assert.match(found.join('\n'), violation)
  })
}
