import { BARE, startBare, startTerse, TERSE } from '../contenders/bare-contender.ts'
import type { Contender } from '../contenders/contender.ts'
import { readAnswer } from '../contenders/recorded-answer.ts'
import { startStakewright } from '../contenders/stakewright-contender.ts'
import { compare, medianOf, type Rounds, ratioOf, type Workload } from './compare.ts'

/** Durable against a power cut (the default), and only against the end of the process. */
const DURABILITIES = {
  'stakewright, power cut': {},
  'stakewright, kill -9': { SQLITE_SYNCHRONOUS: 'normal' },
}

/** Starts the service once per durability, each with a data folder of its own. */
export async function startBoth(
  folderOf: (place: number) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contender[]> {
  const started: Contender[] = []
  // One after the other, because the duration of a start is measured, too.
  for (const [name, durability] of Object.entries(DURABILITIES)) {
    const settings = { ...durability, ...env, DATA_DIR: folderOf(started.length) }
    started.push(await startStakewright(name, settings))
  }
  return started
}

/**
 * Compares the service with bare `node:http` sending the recorded answer: with all its headers, or with only the two
 * headers that a body needs.
 */
export async function compareAndPrint(workloads: readonly Workload[], answer: string): Promise<void> {
  printBesideBare([await compareWithBare(workloads, answer)], answer)
}

/** Measures without printing, for benches of several starts. */
export async function compareWithBare(
  workloads: readonly Workload[],
  answer: string,
  roundCount?: number,
): Promise<Rounds> {
  await using bare = await startBare(answer)
  await using terse = await startTerse(answer)
  const [workload] = workloads
  if (!workload) return new Map()
  // Awaited here, because both bare servers are disposed when this function returns.
  return await compare(
    [...workloads, { ...workload, contender: bare }, { ...workload, contender: terse }],
    roundCount,
  )
}

/** Prints the rounds of all starts together. Each round is compared with the bare server of the same start. */
export function printBesideBare(starts: readonly Rounds[], answer: string): void {
  const { status, body } = readAnswer(answer)
  console.log(
    `  ${status}, ${body.length} bytes`.padEnd(32),
    'per CPU s   of bare            of terse bare      p99 of bare',
  )
  const roundsOf = (name: string) => starts.flatMap((rounds) => rounds.get(name) ?? [])
  for (const name of starts[0]?.keys() ?? []) {
    const figures = roundsOf(name)
    const perCpuSecond = String(Math.round(medianOf(figures, 'perCpuSecond'))).padStart(9)
    const ratios =
      name === BARE || name === TERSE
        ? []
        : [
            ratioOf(figures, roundsOf(BARE), 'perCpuSecond').padEnd(16),
            ratioOf(figures, roundsOf(TERSE), 'perCpuSecond').padEnd(16),
            `${ratioOf(figures, roundsOf(BARE), 'p99Ms')} ×`,
          ]
    console.log([`    ${name}`.padEnd(32), perCpuSecond, ' ', ...ratios].join(' '))
  }
}
