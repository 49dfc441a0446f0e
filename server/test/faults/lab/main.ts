/** Runs the fault lab against real stores and instances: `npm run faults -- --minutes 10 --seed 1`. */
import { parseArgs } from 'node:util'
import { positiveNumber } from '../../../../test/number-variable.ts'
import { FAULTS } from './faults.ts'
import { runLab } from './run-lab.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    instances: { type: 'string', default: '3' },
    /** Late answers are violations, too. */
    timed: { type: 'boolean', default: false },
    /** Only faults whose name contains this text. */
    only: { type: 'string', default: '' },
  },
})
const report = await runLab({
  seed: Number(values.seed),
  ms: positiveNumber('--minutes', values.minutes) * 60_000,
  instances: positiveNumber('--instances', values.instances),
  faults: Object.keys(FAULTS).filter((name) => name.includes(values.only)),
  isTimed: values.timed,
  say: (line) => void process.stderr.write(`${line}\n`),
})
console.log(JSON.stringify({ seed: values.seed, minutes: values.minutes, ...report }, undefined, 2))
if (report.violations.length > 0) process.exitCode = 1
