import { connect, type Socket } from 'node:net'

export type LoadResult = { readonly answers: number; readonly latenciesMs: readonly number[] }

type Load = {
  readonly port: number
  /** The whole request, as bytes on the wire. */
  readonly request: string
  readonly connections: number
  readonly durationMs: number
  readonly expectStatus: number
}

/** Keeps every connection busy with one request after the other. Parses just enough to find the end of an answer. */
export async function putLoad({
  port,
  request,
  connections,
  durationMs,
  expectStatus,
}: Load): Promise<LoadResult> {
  const bytes = Buffer.from(request)
  const latenciesMs: number[] = []
  const end = performance.now() + durationMs
  await Promise.all(
    Array.from({ length: connections }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        socket.write(bytes)
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
  return { answers: latenciesMs.length, latenciesMs }
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
