import { connect, type Socket } from 'node:net'
import { readAnswers } from './read-answers.ts'

/** The outcomes of requests sent at a fixed rate, whether or not the server keeps up. */
export type OpenLoadResult = {
  readonly offered: number
  /** Latencies of answers with 200 in time, in milliseconds. */
  readonly served: readonly number[]
  /** Latencies of answers with another status, in milliseconds. */
  readonly refused: readonly number[]
  /** Connections that were closed without an answer. */
  readonly closed: number
  /** Requests without an answer within `patienceMs`. */
  readonly late: number
  readonly seconds: number
}

type OpenLoad = {
  readonly port: number
  readonly requests: readonly string[]
  readonly perSecond: number
  readonly durationMs: number
  /** The timeout of a caller. */
  readonly patienceMs: number
}

type Caller = { readonly socket: Socket; sentAt: number; isWaiting: boolean; isReady: boolean }

/** Below the service's idle timeout of five seconds, so that no request is sent on a connection being closed. */
const LONGEST_IDLE_MS = 3_000

const TICK_MS = 2
/** If the sender falls behind by more than this, it drops the surplus: a catch-up burst would distort the load. */
const MAX_BEHIND_MS = 20

/**
 * Open-loop load: requests are sent at a fixed rate, independent of answers. Each takes an idle connection or opens a
 * new one; a timeout closes it.
 */
export async function putOpenLoad(load: OpenLoad): Promise<OpenLoadResult> {
  const { port, requests, perSecond, durationMs, patienceMs } = load
  const served: number[] = []
  const refused: number[] = []
  const callers = new Set<Caller>()
  const idle: Caller[] = []
  const bytes = requests.map((text) => Buffer.from(text))
  let offered = 0
  let closed = 0
  let late = 0

  function open(): Caller {
    const socket = connect(port, '127.0.0.1')
    const caller: Caller = { socket, sentAt: 0, isWaiting: false, isReady: true }
    callers.add(caller)
    socket.setNoDelay(true)
    readAnswers(socket, (status, closes) => {
      const tookMs = performance.now() - caller.sentAt
      if (caller.isWaiting) (status === 200 ? served : refused).push(tookMs)
      caller.isWaiting = false
      if (closes) socket.end()
      else idle.push(caller)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      callers.delete(caller)
      caller.isReady = false
      if (caller.isWaiting) closed += 1
    })
    return caller
  }

  function takeIdle(): Caller | undefined {
    for (let caller = idle.pop(); caller !== undefined; caller = idle.pop()) {
      if (!caller.isReady) continue
      if (performance.now() - caller.sentAt < LONGEST_IDLE_MS) return caller
      caller.socket.destroy()
    }
    return undefined
  }

  function call(): void {
    const caller = takeIdle() ?? open()
    caller.sentAt = performance.now()
    caller.isWaiting = true
    caller.socket.write(bytes[offered % bytes.length] ?? '')
    offered += 1
  }

  function giveUp(): void {
    const oldest = performance.now() - patienceMs
    for (const caller of callers) {
      if (!caller.isWaiting || caller.sentAt > oldest) continue
      caller.isWaiting = false
      late += 1
      caller.socket.destroy()
    }
  }

  const mostAtOnce = Math.ceil((perSecond * MAX_BEHIND_MS) / 1_000)
  let forgone = 0
  const startedAt = performance.now()
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt
      const due = Math.floor((Math.min(elapsed, durationMs) / 1_000) * perSecond) - forgone
      const enough = offered + mostAtOnce
      while (offered < Math.min(due, enough)) call()
      forgone += Math.max(0, due - enough)
      giveUp()
      if (elapsed < durationMs) return
      clearInterval(timer)
      resolve()
    }, TICK_MS)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  for (const { socket } of callers) socket.destroy()
  return { offered, served, refused, closed, late, seconds }
}
