import { connect, type Socket } from 'node:net'

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

/** Closed-loop load: every connection sends its next request after the answer. Parses only what delimits an answer. */
export async function putLoad({
  ports,
  request,
  from = 0,
  connections,
  durationMs,
  expectStatus,
}: Load): Promise<LoadResult> {
  const requests = [request].flat().map((text) => Buffer.from(text))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  const end = startedAt + durationMs
  await Promise.all(
    Array.from({ length: connections }, (_, place) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const socket = connect(ports[place % ports.length] ?? 0, '127.0.0.1')
      socket.setNoDelay(true)
      let sentAt = 0
      // Each connection starts at another place in the list, so that no two send the same request at the same time.
      let next = from + Math.floor((place * requests.length) / connections)
      const send = () => {
        sentAt = performance.now()
        socket.write(requests[next++ % requests.length] ?? '')
      }
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      readAnswers(socket, expectStatus, reject, () => {
        const now = performance.now()
        latenciesMs.push(now - sentAt)
        if (now >= end) socket.end()
        else send()
      })
      return promise
    }),
  )
  return { answers: latenciesMs.length, latenciesMs, seconds: (performance.now() - startedAt) / 1_000 }
}

function readAnswers(
  socket: Socket,
  expectStatus: number,
  fail: (error: Error) => void,
  onAnswer: () => void,
): void {
  let missing = 0
  let head = ''
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing <= 0) onAnswer()
      return
    }
    head += chunk.toString('latin1')
    const headEnd = head.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const status = Number(head.slice(9, 12))
    if (status !== expectStatus) return fail(new Error(`expected ${expectStatus}: ${head.slice(0, 2_000)}`))
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    missing = headEnd + 4 + length - head.length
    head = ''
    if (missing <= 0) onAnswer()
  })
}
