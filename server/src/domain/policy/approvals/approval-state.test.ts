import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLOCK_STEP_MS, DAY_MS } from '../../../durations.ts'
import { approvalState } from './approval-state.ts'

const createdAt = Date.UTC(2026, 5, 1)
const wish = { network: 'sandbox', sender: undefined, items: [], hash: '' }
const reason = { rule: 'approvalAbove', revision: 1, limit: 1n, actual: 2n } as const
const times = { createdAt, expiresAt: createdAt + DAY_MS }
const approval = { id: 'apr', no: 1, wish, reason, ...times, decision: undefined, intentId: undefined }
const CASES = [
  { at: createdAt - CLOCK_STEP_MS - 1, isOver: true },
  { at: createdAt - CLOCK_STEP_MS, isOver: false },
  { at: createdAt + DAY_MS - 1, isOver: false },
  { at: createdAt + DAY_MS, isOver: true },
]

test('a waiting or approved approval expires after its time, and if it is dated ahead of a corrected clock', () => {
  for (const { at, isOver } of CASES) {
    for (const state of ['waiting', 'approved'] as const)
      assert.equal(approvalState({ ...approval, state }, at), isOver ? 'expired' : state)
    for (const state of ['refused', 'used'] as const)
      assert.equal(approvalState({ ...approval, state }, at), state, 'what is settled stays as it is')
  }
})
