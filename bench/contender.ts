import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { availableParallelism } from 'node:os'

/** A server that is measured: its own process, on the first core; the load runs on the others. */
export type Contender = AsyncDisposable & {
  readonly name: string
  readonly port: number
  readonly startedInMs: number
  /** Seconds of processor time it has used so far. */
  cpuSeconds(): number
  residentMb(): number
}

const TICKS_PER_SECOND = 100

export async function startContender(
  name: string,
  file: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Contender> {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn('taskset', ['-c', '0', process.execPath, file], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await untilAnswering(child, port)
  const startedInMs = performance.now() - startedAt
  const proc = (entry: string) => readFileSync(`/proc/${child.pid}/${entry}`, 'utf8')
  return {
    name,
    port,
    startedInMs,
    cpuSeconds() {
      const fields = proc('stat')
        .replace(/^.*\) /, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    },
    residentMb: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1] ?? 0) / 1024,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}

/** The load keeps off the server's core, where there is more than one. */
export function moveToOtherCores(): void {
  if (availableParallelism() < 2) return
  spawn('taskset', ['-a', '-p', '-c', `1-${availableParallelism() - 1}`, String(process.pid)], {
    stdio: 'ignore',
  })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function untilAnswering(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a contender ended with ${child.exitCode}`)
    try {
      await fetch(`http://127.0.0.1:${port}/healthz`)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
}
