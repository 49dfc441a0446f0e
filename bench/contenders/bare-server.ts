/** Bare `node:http` sending a recorded answer: what the same bytes cost without any service behind them. */
import { createServer } from 'node:http'
import { readAnswer } from './recorded-answer.ts'

const { status, headers, body } = readAnswer(process.env['BENCH_ANSWER'])
const bytes = Buffer.from(body)
const head = process.env['BENCH_HEAD'] === 'terse' ? terse() : headers

const server = createServer((_request, response) => {
  response.writeHead(status, head)
  response.end(bytes.length > 0 ? bytes : undefined)
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))

/** What the body is, and how long. */
function terse(): Readonly<Record<string, string>> {
  const ofTheBody = ['content-type', 'content-length']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ofTheBody.includes(name)))
}
