import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { freePort, hasEnded } from '../../server/test/support/server-process.ts'
import { type ProcessCounters, processCounters } from '../support/process-counters.ts'

/** A participant in a comparison: one process, or several counted as one. */
export type Measured = {
  readonly name: string
  /** The ports of its processes. */
  readonly ports: readonly number[]
  /** Pins its processes to cores. */
  takeCores(cores?: string): void
  /** Processor time so far, in seconds. */
  cpuSeconds(): number
  /** Writes so far. Missing for groups. */
  written?(): Pick<ProcessCounters, 'writeCalls' | 'bytesWritten'>
}

/** A measured server: its own process, on the first core; the load runs on the others. */
export type Contender = AsyncDisposable &
  Measured & {
    readonly port: number
    readonly pid: number
    readonly startedInMs: number
    readonly residentAtStartMb: number
    residentMb(): number
  }

const FIRST_CORE = '0'
const ALL_CORES = `0-${availableParallelism() - 1}`

export async function startContender(
  name: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contender> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn('taskset', ['-c', FIRST_CORE, process.execPath, file], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'exit')
  await untilAnswering(child, port)
  const { pid = 0 } = child
  const startedInMs = performance.now() - startedAt
  const residentMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  return {
    name,
    port,
    pid,
    ports: [port],
    startedInMs,
    residentAtStartMb: residentMb(),
    takeCores: (cores = FIRST_CORE) => pin(pid, cores),
    cpuSeconds: () => processCounters(pid).cpuSeconds,
    written: () => processCounters(pid),
    residentMb,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** A single member runs alone on the first core; several share all cores with the load. */
export function groupOf(name: string, members: readonly Contender[]): Measured {
  return {
    name,
    ports: members.flatMap(({ ports }) => ports),
    takeCores() {
      for (const member of members) member.takeCores(members.length === 1 ? FIRST_CORE : ALL_CORES)
    },
    cpuSeconds: () => members.reduce((sum, member) => sum + member.cpuSeconds(), 0),
  }
}

/** Retries, because `taskset` fails if a thread ends while it is being moved. */
function pin(pid: number, cores: string, tries = 5): void {
  try {
    execFileSync('taskset', ['-a', '-p', '-c', cores, String(pid)], { stdio: 'ignore' })
  } catch (error) {
    if (tries === 1) throw error
    pin(pid, cores, tries - 1)
  }
}

/** Moves the load off the server's core if there is more than one. */
export function moveToOtherCores(): void {
  if (availableParallelism() < 2) return
  pin(process.pid, `1-${availableParallelism() - 1}`)
}

async function untilAnswering(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (hasEnded(child)) throw new Error(`a contender ended with ${child.exitCode ?? child.signalCode}`)
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
