import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { freePort } from '../support/server-process.ts'
import { trailer } from './grpc-web-server.ts'

const GRPC = { 'content-type': 'application/grpc-web+proto' }
const DENIED = 7

/** Ways in which a node, or a proxy in front of it, may refuse a request and echo it. */
const WAYS: readonly ((said: string, response: ServerResponse) => void)[] = [
  (said, response) => response.writeHead(200, GRPC).end(trailer(DENIED, said)),
  (said, response) =>
    response
      .writeHead(200, { ...GRPC, 'grpc-status': DENIED, 'grpc-message': encodeURIComponent(said) })
      .end(),
  (said, response) => response.writeHead(401, { 'content-type': 'text/plain' }).end(said),
  (said, response) =>
    response.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify({ error: said })),
  (said, response) => response.writeHead(200, { 'content-type': `text/html; of=${said}` }).end(said),
  (said, response) => response.writeHead(302, { location: `/${encodeURIComponent(said)}` }).end(),
  // As a GraphQL service refuses, and as a service that is no GraphQL.
  (said, response) => response.writeHead(200).end(JSON.stringify({ errors: [{ message: said }] })),
  (said, response) => response.writeHead(200).end(said),
]

export type EchoingNode = AsyncDisposable & { readonly host: string }

/** Starts a node that refuses every call in the way that its path names (`/way0/…`), and echoes the whole request. */
export async function startEchoingNode(): Promise<EchoingNode> {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    request.resume()
    WAYS[Number(/way(\d)/.exec(request.url ?? '')?.[1])]?.(echo(request, calls), response)
  })
  server.listen(await freePort(), '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    host: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The secrets of a request behind padding of varying length, so that truncation cuts them at every position. */
function echo({ url = '', headers }: IncomingMessage, call: number): string {
  const { authorization = '', 'x-token': token } = headers
  const basic = Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString()
  const secrets = `token ${token} url ${url} ${decodeURIComponent(url)} auth ${authorization} basic ${basic}`
  return `${'no '.repeat((call * 31) % 180)}${secrets}`.replace(/[^\x20-\x7e]/g, ' ')
}
