import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { hasEnded } from '../../support/server-process.ts'
import type { Work, WorkDone } from './instance-process.ts'

const PROGRAM = fileURLToPath(new URL('./instance-process.ts', import.meta.url))

/** A process with its own store, admission and agents, on a Postgres that it shares with others. */
export type Instance = AsyncDisposable & {
  do(work: Work): Promise<WorkDone>
  /** SIGKILL. */
  kill(): Promise<void>
}

export async function startInstance(url: string): Promise<Instance> {
  const child = fork(PROGRAM, [url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(child, 'close')
  const first = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  if (!first) throw new Error('the instance did not start')
  const kill = async () => {
    if (!hasEnded(child)) child.kill('SIGKILL')
    await ended
  }
  return {
    async do(work) {
      child.send(work)
      const [done] = await once(child, 'message')
      return toWorkDone(done)
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** The cast holds because the program answers every message with the result of its work. */
function toWorkDone(message: unknown): WorkDone {
  return message as WorkDone
}

export async function startInstances(url: string, count: number) {
  const started = await Promise.allSettled(Array.from({ length: count }, () => startInstance(url)))
  const instances = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failed = started.find((one) => one.status === 'rejected')
  if (failed) {
    await Promise.all(instances.map((instance) => instance.kill()))
    throw failed.reason
  }
  return {
    instances,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(instances.map((instance) => instance[Symbol.asyncDispose]()))
    },
  }
}
