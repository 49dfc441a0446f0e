import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HistoryEpoch, HistoryRow } from '../read-history.ts'
import { equalPay } from '../scenario.ts'
import { walkForward } from '../walk-forward.ts'
import { foresightRules } from './foresight-rules.ts'

/** With equal pay, a validator with a fifth less stake earns a quarter more. */
const [SMALL, LARGE] = [80, 100]

const rowOf = (validator: string, stake: number): HistoryRow => ({
  validator,
  stake: BigInt(stake) * 10n ** 15n,
  commission: 0,
  uptime: 1,
  apy: 0,
})

/** Two validators whose stakes are exchanged after five epochs. */
const HISTORY = Array.from({ length: 20 }, (_, epoch): HistoryEpoch => {
  const [a, b] = epoch < 5 ? [SMALL, LARGE] : [LARGE, SMALL]
  const rows = [rowOf('a', a), rowOf('b', b)]
  return { epoch, rows: new Map(rows.map((row) => [row.validator, row])), outside: [] }
})

test('a rule without foresight moves for a quarter more pay if nobody is outside who could evict the target', () => {
  const scenario = equalPay(HISTORY, 1e-6, 2)
  const rules = foresightRules(scenario).filter(({ name }) => name === 'nothing known')
  const [track] = walkForward(scenario, rules, 1, () => undefined)
  assert(track?.moved.some((part) => part > 0.9))
})
