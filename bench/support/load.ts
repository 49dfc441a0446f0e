import { connect } from 'node:net'
import { readAnswers } from './read-answers.ts'

export type LoadResult = {
  readonly answers: number
  readonly latenciesMs: readonly number[]
  readonly seconds: number
}

type Load = {
  /** Connections are spread over them in turn. */
  readonly ports: readonly number[]
  /** The whole request as sent on the wire, or several that every connection sends in turn. */
  readonly request: string | readonly string[]
  /** How many requests each connection skips at the start. */
  readonly from?: number
  readonly connections: number
  readonly durationMs: number
  readonly expectStatus: number
}

/**
 * Closed-loop load: every connection sends its next request after the answer, and is replaced if the server announces to
 * close it. A connection that the server closes without a word fails the load, which would shrink unnoticed.
 */
export async function putLoad(load: Load): Promise<LoadResult> {
  const { request, from = 0, connections, durationMs } = load
  const requests = [request].flat().map((text) => Buffer.from(text))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const run = { load, end: startedAt + durationMs, latenciesMs }
  await Promise.all(
    Array.from({ length: connections }, async (_, place) => {
      // Each connection starts at another place in the list, so that no two send the same request at the same time.
      let next = from + Math.floor((place * requests.length) / connections)
      const nextRequest = () => requests[next++ % requests.length] ?? ''
      for (let isOver = false; !isOver; ) isOver = await useConnection(run, place, nextRequest)
    }),
  )
  return { answers: latenciesMs.length, latenciesMs, seconds: (performance.now() - startedAt) / 1_000 }
}

type Run = { readonly load: Load; readonly end: number; readonly latenciesMs: number[] }

/** Resolves when the connection is closed: with true at the end of the run, with false if the server announced it. */
function useConnection(
  { load: { ports, expectStatus }, end, latenciesMs }: Run,
  place: number,
  nextRequest: () => Buffer | string,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>()
  const socket = connect(ports[place % ports.length] ?? 0, '127.0.0.1')
  socket.setNoDelay(true)
  let sentAt = 0
  let isAnnounced = false
  const send = () => {
    sentAt = performance.now()
    socket.write(nextRequest())
  }
  socket.on('connect', send)
  socket.on('error', reject)
  socket.on('close', () => {
    if (isAnnounced) resolve(performance.now() >= end)
    else reject(new Error('the server closed a connection in mid-run without announcing it'))
  })
  readAnswers(socket, (status, closes, text) => {
    const now = performance.now()
    if (status !== expectStatus) {
      socket.destroy(new Error(`expected ${expectStatus}: ${text.slice(0, 2_000)}`))
      return
    }
    latenciesMs.push(now - sentAt)
    isAnnounced = closes || now >= end
    if (isAnnounced) socket.end()
    else send()
  })
  return promise
}
