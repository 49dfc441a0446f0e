import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeBreaker } from './breaker.ts'
import { makeRetryBudget } from './retry-budget.ts'

const LIMITS = { failuresToOpen: 3, openMs: 100, maxOpenMs: 400 }

function opened() {
  const breaker = makeBreaker(LIMITS)
  for (let failure = 0; failure < 3; failure += 1) breaker.fail(1_000)
  return breaker
}

test('a breaker opens after three failures in a row, not before', () => {
  const breaker = makeBreaker(LIMITS)
  breaker.fail(0)
  breaker.fail(0)
  assert.ok(breaker.ready(0))
  breaker.succeed()
  breaker.fail(0)
  breaker.fail(0)
  assert.ok(breaker.ready(0))
  breaker.fail(0)
  assert.ok(!breaker.ready(0))
})

test('an open breaker lets exactly one call through when its wait is over', () => {
  const breaker = opened()
  assert.ok(!breaker.ready(1_099))
  assert.ok(breaker.ready(1_100))
  breaker.enter()
  assert.ok(!breaker.ready(1_100))
  breaker.succeed()
  assert.ok(breaker.ready(1_100))
})

test('each failed probe doubles the wait, up to a limit', () => {
  const breaker = opened()
  const waits: number[] = []
  let now = 1_000
  for (let probe = 0; probe < 4; probe += 1) {
    let wait = 0
    while (!breaker.ready(now + wait)) wait += 50
    waits.push(wait)
    now += wait
    breaker.enter()
    breaker.fail(now)
  }
  assert.deepEqual(waits, [100, 200, 400, 400])
})

test('after a probe that its caller gave up, another one is let through', () => {
  const breaker = opened()
  breaker.enter()
  breaker.release()
  assert.ok(breaker.ready(1_100))
})

test('a clock that steps back does not keep the breaker open', () => {
  assert.ok(opened().ready(10))
})

test('if all calls fail, retries add at most a tenth to the load', () => {
  const budget = makeRetryBudget(0.1, 10)
  let retries = 0
  for (let question = 0; question < 1_000; question += 1) {
    budget.deposit()
    while (budget.spend()) retries += 1
  }
  assert.ok(retries <= 10 + 100, `${retries} retries`)
  assert.ok(retries >= 100, `${retries} retries`)
})
