import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { httpPriceFeed } from './http-price.ts'

test('a redirect of the price source is not followed', async () => {
  const paths: unknown[] = []
  await using server = createServer(({ url }, response) => {
    paths.push(url)
    if (url === '/moved') response.end('{"coin":{"usd":1}}')
    else response.writeHead(302, { location: '/moved' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  const feed = httpPriceFeed(`http://127.0.0.1:${address.port}/price`, () => 0)
  await assert.rejects(feed.read(AbortSignal.timeout(20_000)), { code: 'rpc_unavailable' })
  assert.deepEqual(paths, ['/price'])
})
