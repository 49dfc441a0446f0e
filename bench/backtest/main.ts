import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawSplit, reportRehearsals } from '../rehearsal/report.ts'
import { findProblem } from './commands.ts'
import { printCoverage, recordedPast } from './coverage.ts'
import { foresightRules } from './foresight/foresight-rules.ts'
import { studyMembers } from './foresight/members.ts'
import { readStakes } from './foresight/read-stakes.ts'
import { WATER_FILLING_ORACLE } from './oracles.ts'
import { hysteresisVariants } from './plain-rules.ts'
import { plotTracks } from './plot.ts'
import { reportRates } from './rates.ts'
import { readHistory } from './read-history.ts'
import { summarise, toTable } from './report.ts'
import { printSandboxCoverage } from './sandbox-coverage.ts'
import { asRecorded, equalPay, type Scenario } from './scenario.ts'
import { OURS_STARTED_WITH_MANY, strategies } from './strategies.ts'
import type { Strategy } from './strategy.ts'
import { walkForward } from './walk-forward.ts'

const USAGE = `npm run backtest -- --data FILE [--out DIR] [--warm-up 14] [--every 5] [--equal-pay SHARE]
npm run backtest -- --foresight --data FILE --equal-pay SHARE [--warm-up 14]
npm run backtest -- --fit-membership --data FILE [--other FILE]
npm run backtest -- --coverage --data FILE [--equal-pay SHARE]
npm run backtest -- --coverage [--seeds 3]
npm run backtest -- --sandbox [--seeds 3] [--epochs 60] [--out DIR]
npm run backtest -- --rates FILE`

const { values, tokens } = parseArgs({
  tokens: true,
  options: {
    data: { type: 'string' },
    out: { type: 'string', default: 'backtest-out' },
    'warm-up': { type: 'string', default: '14' },
    every: { type: 'string', default: '5' },
    'equal-pay': { type: 'string' },
    foresight: { type: 'boolean', default: false },
    'fit-membership': { type: 'boolean', default: false },
    other: { type: 'string' },
    rates: { type: 'string' },
    sandbox: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
    seeds: { type: 'string', default: '3' },
    epochs: { type: 'string', default: '60' },
  },
})
const problem = findProblem(
  new Map(tokens.flatMap((token) => (token.kind === 'option' ? [[token.name, token.value]] : []))),
)

if (problem !== undefined) {
  console.error(`${problem}\n${USAGE}`)
  process.exitCode = 1
} else if (values.coverage) {
  await coverage(values.data, values['equal-pay'], Number(values.seeds))
} else if (values.sandbox) {
  const picture = await reportRehearsals(Number(values.seeds), Number(values.epochs))
  await writePicture(values.out, 'rehearsal.svg', picture)
  await writePicture(values.out, 'split.svg', await drawSplit())
} else if (values.rates !== undefined) {
  await reportRates(values.rates)
} else if (values['fit-membership']) {
  const other = values.other === undefined ? undefined : await readStakes(values.other)
  studyMembers(await readHistory(values.data ?? ''), other)
} else {
  const scenario = await scenarioOf(values.data ?? '', values['equal-pay'])
  const warmUp = Number(values['warm-up'])
  if (values.foresight) printForesight(scenario, warmUp)
  else await backtest(basename(values.data ?? ''), scenario, values.out, warmUp, Number(values.every))
}

async function writePicture(folder: string, name: string, picture: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, name), picture)
  console.log(`written: ${join(folder, name)}`)
}

async function scenarioOf(data: string, share: string | undefined): Promise<Scenario> {
  const history = await readHistory(data)
  return share === undefined ? asRecorded(history) : equalPay(history, Number(share))
}

async function coverage(data: string | undefined, share: string | undefined, seeds: number): Promise<void> {
  if (data !== undefined) {
    const scenario = await scenarioOf(data, share)
    return printCoverage(scenario.title, recordedPast(scenario), [1, 7, 14])
  }
  await printSandboxCoverage(Array.from({ length: seeds }, (_, index) => index + 1))
}

/** The patient rule with the thresholds that earned most on the first half of the history. */
function chooseHysteresis(scenario: Scenario, warmUp: number): Strategy {
  const history = scenario.history.slice(0, Math.ceil(scenario.history.length / 2))
  const variants = hysteresisVariants()
  const tracks = walkForward({ ...scenario, history }, variants, Math.min(warmUp, 10), () => undefined)
  const net = tracks.map((track) => summarise(track).netApr)
  const chosen = variants[net.indexOf(Math.max(...net))]
  assert(chosen)
  return chosen
}

/** Prints the yields of rules with foresight, of ours, and of the oracle that moves for free. */
function printForesight(scenario: Scenario, warmUp: number): void {
  const beside = strategies(1).filter(({ name }) =>
    [OURS_STARTED_WITH_MANY, WATER_FILLING_ORACLE].includes(name),
  )
  const lines = walkForward(scenario, [...foresightRules(scenario), ...beside], warmUp, () => undefined).map(
    summarise,
  )
  const water = lines.find(({ strategy }) => strategy === WATER_FILLING_ORACLE)?.netApr ?? Number.NaN
  const width = Math.max(...lines.map(({ strategy }) => strategy.length))
  console.log(scenario.title)
  for (const { strategy, netApr } of lines) {
    console.log(
      `  ${strategy.padEnd(width)} ${netApr.toFixed(2).padStart(6)} ${((100 * netApr) / water).toFixed(1)} %`,
    )
  }
}

async function backtest(
  data: string,
  scenario: Scenario,
  out: string,
  warmUp: number,
  every: number,
): Promise<void> {
  const [first, last] = [scenario.history[0]?.epoch, scenario.history.at(-1)?.epoch]
  console.log(`${data}: epochs ${first}…${last}, ${warmUp} of them to warm up; ${scenario.title}`)
  const held = chooseHysteresis(scenario, warmUp)
  const tracks = walkForward(scenario, [...strategies(every), held], warmUp, (done, of) => {
    process.stderr.write(`\r${done} of ${of} decisions${done === of ? '\n' : ''}`)
  })
  const lines = tracks.map(summarise)
  console.log(toTable(lines))
  const title = `Net yield since the start, epochs ${tracks[0]?.epochs[0]}…${tracks[0]?.epochs.at(-1)}; ${scenario.title}`
  await writePicture(out, 'backtest.svg', plotTracks(tracks, title))
  const result = { data, scenario: scenario.title, warmUp, every, lines, tracks }
  await writeFile(join(out, 'backtest.json'), `${JSON.stringify(result, null, 2)}\n`)
  console.log(`written: ${join(out, 'backtest.json')}`)
}
