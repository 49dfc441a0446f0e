import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRequest, requestAgeMs } from '#adapters/system/request-age.ts'
import { openRequestBudget } from './request-budget.ts'

const TIMEOUTS = { connectMs: 400, statementMs: 550 }

test('a step gets the time that earlier steps have left, and never less than its round trips take', () => {
  let [age, now] = [0, 0]
  const budget = openRequestBudget(
    TIMEOUTS,
    () => age,
    () => now,
  )
  const statement = () => budget.leftMs(570, 1)
  age = 10_000
  assert.equal(statement(), 570, 'nothing is known of a server that has not answered yet')
  budget.note(1)
  assert.deepEqual([statement(), budget.leftMs(400, 7)], [152, 164])
  age = 500
  assert.equal(statement(), 450)
  age = 0
  assert.deepEqual([statement(), budget.leftMs(400, 7)], [570, 400])
})

test('the usual time of a statement follows a link that becomes slower', () => {
  let now = 0
  const budget = openRequestBudget(
    TIMEOUTS,
    () => 10_000,
    () => now,
  )
  budget.note(1)
  for (let minute = 1; minute <= 3; minute += 1) {
    now = minute * 60_001
    budget.note(150)
  }
  assert.equal(budget.leftMs(570, 1), 450)
})

test('the age is 0 outside of a request', async () => {
  assert.equal(requestAgeMs(), 0)
  await asRequest(async () => {
    await new Promise(setImmediate)
    assert(requestAgeMs() > 0)
  })
  assert.equal(requestAgeMs(), 0)
})
