/** Bare `node:http` sending the bytes of a file: what the same answer costs without any service behind it. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const bytes = readFileSync(process.env['BENCH_BODY'] ?? '')
const headers = JSON.parse(process.env['BENCH_HEADERS'] ?? '{}')
const status = Number(process.env['BENCH_STATUS'] ?? 200)

const server = createServer((_request, response) => {
  response.writeHead(status, headers)
  response.end(status === 304 ? undefined : bytes)
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
