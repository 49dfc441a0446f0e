import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { ERRORS } from '@stakewright/contract/errors'
import { LIMITS } from '@stakewright/contract/limits'
import { startNginx } from '../support/services/nginx-server.ts'

const AWAY = 'there is no nginx, and it could not be had from Debian: apt-get install nginx'

/** An instance that reads each request and then closes the connection without an answer, or answers `{}`. */
async function openInstance({ dies }: { readonly dies: boolean }) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method}`)
    request.resume().on('end', () => (dies ? request.socket.destroy() : response.end('{}')))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  return {
    port: address.port,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

test('an instance fails during a request: neither nginx nor the client retries a call that may have been done', async (t) => {
  await using one = await openInstance({ dies: true })
  await using two = await openInstance({ dies: true })
  await using nginx = await startNginx([one.port, two.port])
  if (!nginx) return t.skip(AWAY)
  const client = createClient({ baseUrl: nginx.url, token: 'x', retries: 2 })
  const calls = {
    POST: () => client.rotateKey({ id: 'x' }),
    PATCH: () => client.updateAgent({ id: 'x', status: 'suspended' }),
    PUT: () => client.writePolicy({ id: 'x', rules: [] }),
    DELETE: () => client.endSession({ id: 'x' }),
  }
  for (const [method, send] of Object.entries(calls)) {
    const sent = one.asked.length + two.asked.length
    await assert.rejects(send, {
      code: 'timeout',
      status: 504,
      retryable: false,
      retryAfterSeconds: undefined,
      message: /not known whether this was done/,
    })
    assert.equal(one.asked.length + two.asked.length - sent, 1, method)
  }
  await assert.rejects(client.listAgents(), { code: 'service_overloaded', status: 503, retryable: true })
})

test('one instance is away: every call is done once, on the other', async (t) => {
  await using away = await openInstance({ dies: true })
  await using instance = await openInstance({ dies: false })
  await using nginx = await startNginx([away.port, instance.port])
  if (!nginx) return t.skip(AWAY)
  await away[Symbol.asyncDispose]()
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE']) {
    instance.asked.length = 0
    const body = method === 'GET' ? {} : { body: '{"rules":[]}' }
    const statuses: readonly number[] = await Promise.all(
      Array.from({ length: 4 }, async () => (await fetch(nginx.url, { method, ...body })).status),
    )
    assert.deepEqual(statuses, Array(4).fill(200))
    assert.deepEqual(instance.asked, Array(4).fill(method))
  }
})

test('413: a body that nginx refuses by its size gets the error body of the service, whatever the method', async (t) => {
  await using instance = await openInstance({ dies: false })
  await using nginx = await startNginx([instance.port])
  if (!nginx) return t.skip(AWAY)
  instance.asked.length = 0
  const large = Buffer.alloc(256 * 1024, ' ')
  const inPieces = () => ({ body: new Blob([large]).stream(), duplex: 'half' as const })
  const fix = 'Send less at a time.'
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
    for (const sent of [{ body: large }, inPieces()]) {
      const response: Response = await fetch(nginx.url, { method, ...sent })
      const { requestId, ...error } = JSON.parse(await response.text())
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
      assert.match(requestId, /^[0-9a-f]{32}$/)
      assert.deepEqual(error, {
        error: 'invalid_input',
        message: `The body is larger than ${LIMITS.bodyBytes} bytes. ${fix}`,
        status: 413,
        fix,
        retryable: false,
      })
      assert.equal(response.status, 413)
    }
  assert.deepEqual(instance.asked, [])
})

test('503: no instance can be reached, so nothing was done, and the client retries every call', async (t) => {
  await using instance = await openInstance({ dies: true })
  await using nginx = await startNginx([instance.port])
  if (!nginx) return t.skip(AWAY)
  await instance[Symbol.asyncDispose]()
  const tries: number[] = []
  const counted: typeof fetch = async (...asked) => {
    const response = await fetch(...asked)
    tries.push(response.status)
    return response
  }
  const client = createClient({ baseUrl: nginx.url, token: 'x', retries: 1, fetch: counted })
  for (const send of [() => client.rotateKey({ id: 'x' }), () => client.revokeAgent({ id: 'x' })]) {
    await assert.rejects(send, {
      code: 'service_overloaded',
      retryable: true,
      retryAfterSeconds: 1,
      fix: ERRORS.service_overloaded.fix,
    })
    assert.deepEqual(tries.splice(0), [503, 503])
  }
})
