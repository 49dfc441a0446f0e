import type { Socket } from 'node:net'

/**
 * Calls back once each answer is complete, with its head and what came with it. `closes` says that the server has
 * announced to close the connection. Parses only what delimits an answer, because the load shares the machine with what
 * it measures.
 */
export function readAnswers(
  socket: Socket,
  onAnswer: (status: number, closes: boolean, text: string) => void,
): void {
  let missing = 0
  let text = ''
  let [status, closes] = [0, false]
  const finish = () => {
    const answer = text
    text = ''
    onAnswer(status, closes, answer)
  }
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) {
      missing -= chunk.length
      if (missing <= 0) finish()
      return
    }
    text += chunk.toString('latin1')
    const headEnd = text.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = text.slice(0, headEnd)
    status = Number(head.slice(9, 12))
    closes = /\r\nconnection: close/i.test(head)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
    missing = headEnd + 4 + length - text.length
    if (missing <= 0) finish()
  })
}
