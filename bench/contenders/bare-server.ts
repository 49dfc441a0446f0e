/** Baseline: bare `node:http` that sends a recorded answer, without any service behind it. */
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

/** Only the headers that describe the body. */
function terse(): Readonly<Record<string, string>> {
  const ofTheBody = ['content-type', 'content-length']
  return Object.fromEntries(Object.entries(headers).filter(([name]) => ofTheBody.includes(name)))
}
