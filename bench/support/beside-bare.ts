import { fileURLToPath } from 'node:url'
import { BARE, startBare, startTerse, TERSE } from '../contenders/bare-contender.ts'
import { type Contender, startContender } from '../contenders/contender.ts'
import { readAnswer } from '../contenders/recorded-answer.ts'
import { type Course, compare, medianOf, type Rounds, ratioOf } from './compare.ts'

const SERVER = fileURLToPath(new URL('../contenders/stakewright-server.ts', import.meta.url))

/** Limits that do not get in the way. */
export const UNLIMITED = { LIMIT_IP_RPM: '100000000', LIMIT_GLOBAL_RPM: '100000000' }

/** Durable against a power cut, as it is by default; and against the end of the process only. */
const DURABILITIES = {
  'stakewright, power cut': {},
  'stakewright, kill -9': { SQLITE_SYNCHRONOUS: 'normal' },
}

/** The service as it is by default, and as durable as `kill -9` asks for, each in a folder of its own. */
export async function startBoth(
  folderOf: (place: number) => string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contender[]> {
  const started: Contender[] = []
  // One after the other: how long a start takes is measured, too.
  for (const [name, durability] of Object.entries(DURABILITIES)) {
    const settings = { ...UNLIMITED, ...durability, ...env, DATA_DIR: folderOf(started.length) }
    started.push(await startContender(name, SERVER, settings))
  }
  return started
}

/**
 * Requests to the service beside bare `node:http` that sends the recorded answer: all of it, byte for byte, or with no
 * more than the two headers that a body needs.
 */
export async function besideBare(courses: readonly Course[], answer: string): Promise<void> {
  printBesideBare([await compareWithBare(courses, answer)], answer)
}

/** For those who measure several starts before they print. */
export async function compareWithBare(
  courses: readonly Course[],
  answer: string,
  roundCount?: number,
): Promise<Rounds> {
  await using bare = await startBare(answer)
  await using terse = await startTerse(answer)
  const [course] = courses
  if (!course) return new Map()
  // Awaited here: both end with this function.
  return await compare(
    [...courses, { ...course, contender: bare }, { ...course, contender: terse }],
    roundCount,
  )
}

/** The rounds of all starts together; each is compared with the bare process that ran beside it. */
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
