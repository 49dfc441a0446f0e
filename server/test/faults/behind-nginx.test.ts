import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { createClient } from '@stakewright/client'
import { ERRORS } from '@stakewright/contract/errors'
import { startNginx } from '../support/services/nginx-server.ts'

const AWAY = 'there is no nginx, and it could not be had from Debian: apt-get install nginx'

/** An instance that reads each request and then closes the connection without an answer. */
async function openDyingInstance() {
  const asked: string[] = []
  const server = createServer((request) => {
    asked.push(`${request.method}`)
    request.resume().on('end', () => request.socket.destroy())
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
  await using instance = await openDyingInstance()
  await using nginx = await startNginx([instance.port])
  if (!nginx) return t.skip(AWAY)
  instance.asked.length = 0
  const client = createClient({ baseUrl: nginx.url, token: 'x', retries: 2 })
  await assert.rejects(client.rotateKey({ id: 'x' }), {
    code: 'timeout',
    status: 504,
    retryable: false,
    retryAfterSeconds: undefined,
    message: /not known whether this was done/,
  })
  assert.deepEqual(instance.asked, ['POST'])
  await assert.rejects(client.listAgents(), { code: 'service_overloaded', status: 503, retryable: true })
})

test('503: no instance can be reached, so nothing was done, and the client retries every call', async (t) => {
  await using instance = await openDyingInstance()
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
  await assert.rejects(client.rotateKey({ id: 'x' }), {
    code: 'service_overloaded',
    retryable: true,
    retryAfterSeconds: 1,
    fix: ERRORS.service_overloaded.fix,
  })
  assert.deepEqual(tries, [503, 503])
})
