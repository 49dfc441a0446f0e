import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProblem } from './commands.ts'

test('options that are incomplete or would be ignored are refused with what to change', () => {
  const refused = {
    '': 'The history to walk through is missing: add --data.',
    'warm-up': 'The history to walk through is missing: add --data.',
    'foresight data': '--foresight needs --equal-pay: add it.',
    'foresight data equal-pay every': '--foresight does not use --every: leave it out.',
    'fit-membership other': '--fit-membership needs --data: add it.',
    'fit-membership data equal-pay': '--fit-membership does not use --equal-pay: leave it out.',
    'coverage equal-pay': '--coverage needs --data: add it.',
    'coverage data seeds': '--coverage does not use --seeds: leave it out.',
    'sandbox data': '--sandbox does not use --data: leave it out.',
    'sandbox coverage': '--coverage needs --data: add it. --coverage does not use --sandbox: leave it out.',
    'data other': 'The backtest does not use --other: leave it out.',
  }
  for (const [given, problem] of Object.entries(refused)) {
    assert.equal(findProblem(given.split(' ').filter(Boolean)), problem, given)
  }
})

test('every documented command is accepted', () => {
  for (const given of [
    'data out warm-up every equal-pay',
    'data',
    'data warm-up equal-pay foresight',
    'sandbox seeds epochs out',
    'coverage data equal-pay',
    'coverage seeds',
    'fit-membership data other',
    'rates',
  ]) {
    assert.equal(findProblem(given.split(' ')), undefined, given)
  }
})

for (const { args, problem } of [
  { args: ['--foresight', '--data', 'FILE'], problem: /^--foresight needs --equal-pay: add it\.$/m },
  { args: ['--data', 'FILE', '--every', 'day'], problem: /^--every must be a number above 0\.$/m },
]) {
  test(`exit 1: ${args.join(' ')} says what to change and how the backtest is run`, () => {
    const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
      encoding: 'utf8',
    })
    assert.equal(status, 1)
    assert.match(stderr, problem)
    assert.match(stderr, /^npm run backtest -- --data FILE/m)
  })
}
