import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startOn } from './contenders/stakewright-contender.ts'
import { metadataRequests } from './support/agent-keys.ts'
import { compare, medianOf, ratioOf } from './support/compare.ts'
import { fillStore } from './support/filled-store.ts'
import { putLoad } from './support/load.ts'

const CLI = fileURLToPath(new URL('../cli/src/main.ts', import.meta.url))
const AGENTS = 256
/** How long the log is filled before it is copied and verified. */
const FILL_MS = 15_000
/** Few enough that latency is service time, not queueing behind other requests. */
const CONNECTIONS = 4
/** The command shares a core with the load: on two cores, p99 includes the time slices of the command. */
const GOAL = 'goal: at least 0.80, p99 at most 50 ms'

/** Measures how much a running backup or audit verification slows down the callers of a busy embedded service. */
export async function benchBackup(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = join(folder, 'data')
  const keys = await fillStore(dataDir, AGENTS, 0)
  const service = opened.use(await startOn('alone', dataDir))
  const workload = { request: metadataRequests(keys), expectStatus: 200, connections: CONNECTIONS }
  const filling = { ...workload, ports: service.ports, connections: 64, durationMs: FILL_MS }
  const { answers } = await putLoad(filling)
  let backups = 0
  const backup = () => ['backup', '--to', join(folder, `backup${++backups}`)]
  const verify = () => ['audit', 'verify']
  const beside = { 'beside a backup': backup, 'beside audit verify': verify }
  const rounds = await compare([
    { ...workload, contender: service },
    ...Object.entries(beside).map(([name, args]) => ({
      ...workload,
      contender: { ...service, name },
      beside: () => keepRunning(dataDir, args),
    })),
  ])
  const alone = rounds.get('alone') ?? []
  console.log(`\nGET …/agent/metadata of an embedded service whose log began with ${answers} requests`)
  for (const [name, figures] of rounds) {
    const ratio = name === 'alone' ? '' : `, ${ratioOf(figures, alone, 'perCpuSecond')} of alone (${GOAL})`
    const p99 = medianOf(figures, 'p99Ms').toFixed(1)
    console.log(
      `  ${name.padEnd(20)} ${Math.round(medianOf(figures, 'perCpuSecond'))} per CPU s, p99 ${p99} ms${ratio}`,
    )
  }
}

/** Runs the command in a loop until disposed. */
function keepRunning(dataDir: string, argsOf: () => readonly string[]): AsyncDisposable {
  const stopping = new AbortController()
  const running = (async () => {
    while (!stopping.signal.aborted) {
      const child = spawn(process.execPath, [CLI, ...argsOf()], {
        env: { ...process.env, DATA_DIR: dataDir },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      const end = () => child.kill()
      stopping.signal.addEventListener('abort', end)
      const [code] = await once(child, 'exit')
      stopping.signal.removeEventListener('abort', end)
      if (code !== 0 && !stopping.signal.aborted) throw new Error(`${argsOf().join(' ')} ended with ${code}`)
    }
  })()
  // A failure is reported on disposal, so it is not an unhandled rejection until then.
  running.catch(() => {})
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}
