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
    'data every=day': '--every must be a number above 0.',
    'data every=': '--every must be a number above 0.',
    'data other': 'The backtest does not use --other: leave it out.',
  }
  for (const [given, problem] of Object.entries(refused)) {
    assert.equal(findProblem(optionsOf(given)), problem, given)
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
    assert.equal(findProblem(optionsOf(given)), undefined, given)
  }
})

test('exit 1: --foresight without --equal-pay says what to add and how the backtest is run', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'main.ts'), '--foresight', '--data', 'FILE'],
    { encoding: 'utf8' },
  )
  assert.equal(status, 1)
  assert.match(stderr, /^--foresight needs --equal-pay: add it\.\nnpm run backtest -- --data FILE/)
})

/** Options with a value each, which is a number unless given. */
const optionsOf = (given: string) =>
  new Map(
    given
      .split(' ')
      .filter(Boolean)
      .map((option): [string, string] => {
        const [name = '', value = '1'] = option.split('=')
        return [name, value]
      }),
  )
