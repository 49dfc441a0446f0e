import { parseArgs } from 'node:util'
import { positiveNumber } from '../../../test/number-variable.ts'
import { followAll, HORIZON, type Outcome } from './follow-all.ts'
import type { Luck } from './random-holders.ts'

/** Carries out the plans of random holders, compares each with a twin that stays, and prints gains and errors. */

const USAGE = 'npm run twins -- [--holders 1000] [--seed 7]'

const { values } = parseArgs({
  options: { holders: { type: 'string', default: '1000' }, seed: { type: 'string', default: '7' } },
})
const [holders, seed] = [positiveNumber('--holders', values.holders), Number(values.seed)]

async function run(): Promise<void> {
  console.log(`${holders} holders, seed ${seed}; each is followed for ${HORIZON} epochs of a day`)
  const rows = [await rowFor('none'), await rowFor('as it comes')]
  console.log(
    'validators fail | to move | worse than the twin | gain in bp: least, mean | realised / projected − 1: least, mean, most',
  )
  for (const row of rows) console.log(row)
}

async function rowFor(luck: Luck): Promise<string> {
  const isTerminal = process.stderr.isTTY
  const outcomes = await followAll({ holders, seed, luck }, (done) => {
    if (isTerminal || done % 100 === 0)
      process.stderr.write(isTerminal ? `\r${done} of ${holders} ` : `${done} of ${holders}\n`)
  })
  if (isTerminal) process.stderr.write('\r')
  return toRow(luck, outcomes)
}

function toRow(luck: Luck, outcomes: readonly Outcome[]): string {
  const gained = outcomes.map((outcome) => 1e4 * outcome.gained)
  const errors = outcomes.map(({ projected, realised }) => realised / projected - 1)
  const worse = gained.filter((one) => one < 0).length
  const percent = (value: number) => `${(100 * value).toFixed(2)} %`
  return [
    (luck === 'none' ? 'never' : 'now and then').padEnd(15),
    String(outcomes.length).padStart(7),
    String(worse).padStart(19),
    `${Math.min(...gained).toFixed(1)}, ${mean(gained).toFixed(1)}`.padStart(23),
    [Math.min(...errors), mean(errors), Math.max(...errors)].map(percent).join(', '),
  ].join(' | ')
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

if (!(Number.isInteger(holders) && holders > 0 && Number.isInteger(seed))) {
  console.error(`--holders and --seed must be whole numbers.\n${USAGE}`)
  process.exitCode = 1
} else {
  await run()
}
