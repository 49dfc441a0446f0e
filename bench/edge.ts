import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BARE, startBare } from './contenders/bare-contender.ts'
import { startContender } from './contenders/contender.ts'
import { EDGE_ANSWER } from './contenders/edge-answer.ts'
import { recordAnswer } from './contenders/recorded-answer.ts'
import { compare, ratioOf } from './support/compare.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`contenders/${name}`, import.meta.url))
const BODY = JSON.stringify(EDGE_ANSWER)

/** Compares our own HTTP server with Fastify and with bare `node:http` on the same routes. */
export async function benchEdge(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-edge-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const ours = opened.use(await startContender('http/wire', fileOf('edge-server.ts')))
  const theirs = opened.use(await startContender('fastify', fileOf('fastify-server.ts')))
  const answer = await recordAnswer(folder, `http://127.0.0.1:${ours.port}/answer/1`)
  const bare = opened.use(await startBare(answer))
  const requests = {
    'GET, 1 KB': 'GET /answer/1 HTTP/1.1\r\nhost: bench\r\n\r\n',
    'POST, 1 KB of JSON each way': `POST /echo HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
  }
  console.log('\nRequests per second of processor time         of bare            of Fastify')
  for (const [name, request] of Object.entries(requests)) {
    const rounds = await compare(
      [ours, theirs, bare].map((contender) => ({ contender, request, expectStatus: 200 })),
    )
    const figures = (of: string) => rounds.get(of) ?? []
    const beside = (of: string) => ratioOf(figures('http/wire'), figures(of), 'perCpuSecond').padEnd(18)
    console.log(`  ${name.padEnd(44)}${beside(BARE)} ${beside('fastify')}`)
  }
}
