import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleNetwork, TOKEN, variedValidators } from '../../../../test/support/sample-network.ts'
import type { BacktestPolicy } from './decide.ts'
import { type Backtest, type BacktestLine, recordsFor, runBacktest } from './run-backtest.ts'

const POLICY: BacktestPolicy = {
  amount: 100_000n * TOKEN,
  maxValidators: 3,
  maxTurnover: 1,
  everyEpochs: 1,
}

/** A network with equal pay, in which only the earnings of the first validator vary (`earnedAt`). */
function networkWith(earnedAt: (epoch: number) => number, firstEpoch = 50) {
  const validators = Array.from({ length: 8 }, (_, index) => ({
    id: `v${index}`,
    stake: 10_000_000 + index * 1_000_000,
    firstEpoch,
    ...(index === 0 && { earnedAt }),
  }))
  return sampleNetwork(validators)
}

function linesOf(backtest: Backtest): Readonly<Record<string, BacktestLine>> {
  assert(backtest.kind === 'walked')
  return Object.fromEntries(backtest.lines.map((line) => [line.name, line]))
}

test('no contestant earns more than the oracle in any epoch', () => {
  for (const seed of [1, 2, 3]) {
    const validators = variedValidators(25, seed).map((one) => ({ ...one, firstEpoch: 40 }))
    const network = sampleNetwork(validators)
    for (const amount of [1_000n, 1_000_000n, 50_000_000n]) {
      const policy = { ...POLICY, amount: amount * TOKEN, maxValidators: 5 }
      const { oracle, ...others } = linesOf(runBacktest({ ...network, policy, epochs: 20 }))
      assert(oracle)
      for (const { name, rates, netRate } of Object.values(others)) {
        assert.equal(rates.length, 20)
        assert(netRate > 0, name)
        for (const [at, rate] of rates.entries()) {
          assert(rate <= (oracle.rates[at] ?? 0) * (1 + 1e-9), `${name} in epoch ${at} of seed ${seed}`)
        }
      }
    }
  }
})

test('no decision uses future data: an epoch is known only after its end', () => {
  const fails = 90
  const asItWas = linesOf(runBacktest({ ...networkWith(() => 1), policy: POLICY, epochs: 20 })).policy
  const broken = networkWith((epoch) => (epoch >= fails ? 0 : 1))
  const failing = linesOf(runBacktest({ ...broken, policy: POLICY, epochs: 20 })).policy
  assert(asItWas && failing)
  // Scored epochs are 80…99. After three missed epochs (90…92) it is no member; the decision for 94 is the first to
  // know.
  const at = fails - 80
  assert.deepEqual(failing.rates.slice(0, at), asItWas.rates.slice(0, at))
  assert((failing.rates[at] ?? 1) < (asItWas.rates[at] ?? 0))
  assert.equal(
    failing.moved.findIndex((part) => part > 0),
    94 - 80,
  )
})

test('a policy with plans leaves a validator that stops earning; one that only holds does not', () => {
  const network = networkWith((epoch) => (epoch >= 85 ? 0 : 1))
  const { policy, policy_held: held } = linesOf(runBacktest({ ...network, policy: POLICY, epochs: 20 }))
  assert(policy && held)
  assert(policy.turnover > 0 && held.turnover === 0)
  assert.equal(held.switchingCost, 0)
  assert((policy.rates.at(-1) ?? 0) > 1.1 * (held.rates.at(-1) ?? 0))
  assert(policy.switchingCost > 0 && policy.netRate > held.netRate)
})

test('an excluded validator contributes nothing to the policy or to the patient rule', () => {
  const network = networkWith(() => 3)
  const free = linesOf(runBacktest({ ...network, policy: POLICY, epochs: 10 }))
  const policy = { ...POLICY, exclude: new Set(['v0']) }
  const bound = linesOf(runBacktest({ ...network, policy, epochs: 10 }))
  assert((bound.policy?.netRate ?? 1) < (free.policy?.netRate ?? 0))
  assert((bound.patient?.netRate ?? 1) < (free.patient?.netRate ?? 0))
})

test('a history that is too short is reported as such; the records copied for a thread give the same result', () => {
  const short = runBacktest({ ...networkWith(() => 1, 86), policy: POLICY, epochs: 60 })
  assert.deepEqual(short, { kind: 'too short', scored: 3, needed: 7 })
  const network = networkWith((epoch) => (epoch % 7 === 0 ? 0 : 1), 0)
  const input = { ...network, policy: POLICY, epochs: 12 }
  const copied = recordsFor(input)
  assert((copied.get('v0')?.length ?? 0) < (network.records.get('v0')?.length ?? 0))
  assert.deepEqual(runBacktest({ ...input, records: copied }), runBacktest(input))
})
