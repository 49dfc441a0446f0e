import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Contender, startContender } from './contenders/contender.ts'
import { UNLIMITED } from './contenders/stakewright-contender.ts'
import { ADMIN, keyWithoutLimits } from './hot-path.ts'
import { putLoad } from './support/load.ts'
import { type ProcessCounters, processCounters, stolenShare } from './support/process-counters.ts'
import { formatRange, median } from './support/quantiles.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SLICE_MS = 250
const SLICES = 40
const STARTS = 3
const WARM_UP_MS = 4_000
const CONNECTIONS = 32

type Side = { readonly contender: Contender; readonly apiKey: string }
type Workload = {
  readonly name: string
  readonly head: `${'GET' | 'POST'} ${string} HTTP/1.1`
  readonly keyed: boolean
  /** Each side is sent the first body that it accepts: an older version does not know newer fields. */
  readonly bodies?: readonly string[]
}
type Slice = ProcessCounters & { readonly answers: number; readonly p50Ms: number }

const SPLIT = '{"amount":"1000000000000000","maxValidators":10}'

/** Requests that both versions answer. */
const WORKLOADS: readonly Workload[] = [
  { name: 'public validators', head: 'GET /api/v1/staking/validators HTTP/1.1', keyed: false },
  { name: 'agent metadata', head: 'GET /api/v1/staking/agent/metadata HTTP/1.1', keyed: true },
  { name: 'scored validators', head: 'GET /api/v1/staking/agent/validators/scored HTTP/1.1', keyed: true },
  {
    name: 'allocate',
    head: 'POST /api/v1/staking/agent/allocate HTTP/1.1',
    keyed: true,
    bodies: [SPLIT],
  },
  {
    // The split alone: older versions answer without alternatives.
    name: 'allocate, split only',
    head: 'POST /api/v1/staking/agent/allocate HTTP/1.1',
    keyed: true,
    bodies: [SPLIT.replace('}', ',"alternatives":false}'), SPLIT],
  },
]

type Sides = { readonly now: Side; readonly before: Side }
type Round = { readonly now: Slice; readonly before: Slice }
/** The slices of one workload from one start of both sides. */
type Run = { readonly rounds: readonly Round[]; readonly stolen: number }

/**
 * Compares this version with another commit in short alternating slices, so that both meet the same disturbances. Both
 * are started several times, because the JIT compiler's decisions differ by some percent between starts.
 */
export async function benchAgainst(commit: string): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-against-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const before = join(folder, 'before')
  checkOut(commit, before)
  opened.defer(() => void git('worktree', 'remove', '--force', before))
  const runs = new Map<Workload, Run[]>(WORKLOADS.map((workload) => [workload, []]))
  for (let start = 1; start <= STARTS; start += 1) {
    await using started = new AsyncDisposableStack()
    const sides = {
      now: await startSide(started, 'now', ROOT, join(folder, `${start}`)),
      before: await startSide(started, 'before', before, join(folder, `${start}`)),
    }
    for (const [workload, ofWorkload] of runs) {
      ofWorkload.push(await runWorkload(workload, sides))
      process.stderr.write('.')
    }
  }
  process.stderr.write('\n')
  console.log(
    `\nThis version against ${commit} (${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores)`,
  )
  console.log(
    `${STARTS} starts, ${SLICES} alternating slices of ${SLICE_MS} ms each; above 1.00 this version is more efficient;` +
      ' medians, with those of the lowest and the highest start',
  )
  console.log(
    'workload             per CPU second      p50 latency        write calls    bytes written   stolen',
  )
  for (const [workload, ofWorkload] of runs) printWorkload(workload.name, ofWorkload)
}

async function runWorkload(workload: Workload, sides: Sides): Promise<Run> {
  const run = {
    now: loadOn(sides.now, await requestTo(workload, sides.now)),
    before: loadOn(sides.before, await requestTo(workload, sides.before)),
  }
  for (const runSlice of Object.values(run)) await runSlice(WARM_UP_MS)
  const rounds: Round[] = []
  const stolen = stolenShare()
  for (let round = 0; round < SLICES; round += 1) {
    // The order alternates, so that neither side always runs with the caches that the other left behind.
    const isNowFirst = round % 2 === 0
    const first = await run[isNowFirst ? 'now' : 'before'](SLICE_MS)
    const second = await run[isNowFirst ? 'before' : 'now'](SLICE_MS)
    rounds.push(isNowFirst ? { now: first, before: second } : { now: second, before: first })
  }
  return { rounds, stolen: stolen() }
}

function printWorkload(name: string, runs: readonly Run[]): void {
  const ratio = (figure: (slice: Slice) => number) =>
    spread(runs.map(({ rounds }) => rounds.map(({ now, before }) => figure(now) / figure(before))))
  const all = runs.flatMap(({ rounds }) => rounds)
  const total = (side: keyof Round, figure: (slice: Slice) => number) =>
    all.reduce((sum, round) => sum + figure(round[side]), 0)
  const perRequest = (side: keyof Round, figure: (slice: Slice) => number) =>
    (total(side, figure) / total(side, ({ answers }) => answers)).toFixed(2)
  const both = (figure: (slice: Slice) => number) =>
    `${perRequest('now', figure)} / ${perRequest('before', figure)}`
  console.log(
    name.padEnd(20),
    ratio(({ answers, cpuSeconds }) => answers / cpuSeconds).padEnd(19),
    ratio(({ p50Ms }) => p50Ms).padEnd(18),
    both(({ writeCalls }) => writeCalls).padEnd(14),
    both(({ bytesWritten }) => bytesWritten).padEnd(15),
    `${(Math.max(...runs.map(({ stolen }) => stolen)) * 100).toFixed(1)} %`,
  )
}

const loadOn =
  ({ contender }: Side, request: string) =>
  async (durationMs: number): Promise<Slice> => {
    const before = processCounters(contender.pid)
    const load = { ports: contender.ports, request, connections: CONNECTIONS, durationMs, expectStatus: 200 }
    const { answers, latenciesMs } = await putLoad(load)
    const after = processCounters(contender.pid)
    return {
      answers,
      p50Ms: median(latenciesMs),
      cpuSeconds: after.cpuSeconds - before.cpuSeconds,
      writeCalls: after.writeCalls - before.writeCalls,
      bytesWritten: after.bytesWritten - before.bytesWritten,
    }
  }

/** The request of a workload with the first body that the side accepts. */
async function requestTo(workload: Workload, { contender, apiKey }: Side): Promise<string> {
  for (const body of workload.bodies ?? [undefined]) {
    const request = requestOf(workload, apiKey, body)
    const once = { ports: contender.ports, request, connections: 1, durationMs: 0, expectStatus: 200 }
    const isAnswered = await putLoad(once).then(
      () => true,
      () => false,
    )
    if (isAnswered) return request
  }
  throw new Error(`${contender.name} refuses ${workload.name}`)
}

function requestOf({ head, keyed }: Workload, apiKey: string, body: string | undefined): string {
  const key = keyed ? `x-api-key: ${apiKey}\r\n` : ''
  if (body === undefined) return `${head}\r\nhost: bench\r\n${key}\r\n`
  const type = `content-type: application/json\r\ncontent-length: ${body.length}\r\n`
  return `${head}\r\nhost: bench\r\n${key}${type}\r\n${body}`
}

async function startSide(
  opened: AsyncDisposableStack,
  name: string,
  checkout: string,
  folder: string,
): Promise<Side> {
  const dataDir = join(folder, `data-${name}`)
  const env = { ...UNLIMITED, ADMIN_EMAILS: ADMIN, DATA_DIR: dataDir }
  const contender = opened.use(await startContender(name, serverIn(checkout), env))
  return { contender, apiKey: await keyWithoutLimits(contender, dataDir) }
}

/** Earlier versions have the server program in another folder. */
function serverIn(checkout: string): string {
  const places = [join('bench', 'contenders'), 'bench'].map((place) =>
    join(checkout, place, 'stakewright-server.ts'),
  )
  return places.find((file) => existsSync(file)) ?? places[0] ?? ''
}

/** Checks out the other version and installs the packages of its own lock file. */
function checkOut(commit: string, folder: string): void {
  console.log(`Installing ${commit} …`)
  git('worktree', 'add', '--detach', folder, commit)
  execFileSync('npm', ['ci', '--loglevel=error'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })

/** The median over all slices, then the lowest and the highest median of a single start. */
function spread(starts: readonly (readonly number[])[]): string {
  const medians = starts.map(median)
  return formatRange(median(starts.flat()), Math.min(...medians), Math.max(...medians))
}
