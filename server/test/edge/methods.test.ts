import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { suite, test } from 'node:test'
import type { HttpServer } from '../../src/http/wire/server.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { rawClient, sendRaw } from './raw-client.ts'

const ask = (method: string, target: string, headers = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`

const serveAll = (edge: HttpServer, changes: string[] = []) => {
  edge.serve({ method: 'GET', path: '/public/{id}', auth: 'none' }, ({ params }) => ({
    body: { id: params['id'] },
    headers: { etag: '"1"', 'cache-control': 'public, max-age=5' },
  }))
  edge.serve({ method: 'GET', path: '/private', auth: 'agent-key' }, () => ({ body: { secret: true } }))
  edge.serve({ method: 'DELETE', path: '/private', auth: 'user-token' }, () => ({ status: 204 }))
  edge.serve({ method: 'POST', path: '/registrations', auth: 'none' }, () => ({ status: 201, body: {} }))
  edge.serve({ method: 'GET', path: '/verify', auth: 'none', headSkipsHandler: true }, ({ method }) => {
    changes.push(method)
    return { body: { verified: true } }
  })
}

const PATHS = {
  '/public/7': ['GET', 'HEAD'],
  '/private': ['GET', 'HEAD', 'DELETE'],
  '/registrations': ['POST'],
  '/verify': ['GET', 'HEAD'],
} as const satisfies Record<string, readonly string[]>

suite('methods', () => {
  test('every method that Node knows is served, or refused with 405 and the allowed methods', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    for (const [path, served] of Object.entries(PATHS)) {
      const allowed: readonly string[] = [...served, 'OPTIONS']
      for (const method of METHODS) {
        const [response] = await sendRaw(app.port, ask(method, method === 'CONNECT' ? 'localhost:1' : path))
        const name = `${method} ${path}`
        if (allowed.includes(method)) {
          assert.ok(response && response.status < 300, name)
          continue
        }
        if (method === 'HEAD') assert.equal(response?.status, 405, name)
        else assertErrorAnswer(response, 405, name)
        if (method !== 'CONNECT') assert.deepEqual(response?.headers['allow']?.split(', '), allowed, name)
      }
    }
  })

  test('on an unknown path every method is 404, with or without a body', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && name !== 'HEAD')) {
      assertErrorAnswer((await sendRaw(app.port, ask(method, '/nowhere')))[0], 404, method)
    }
    const withBody = `${ask('POST', '/nowhere', 'Content-Type: text/plain\r\nContent-Length: 1\r\n')}x`
    assertErrorAnswer((await sendRaw(app.port, withBody))[0], 404)
  })

  test('a path that matches several templates allows the methods of all of them', async () => {
    await using app = await edgeUnderTest((edge) => {
      edge.serve({ method: 'DELETE', path: '/agents/{id}', auth: 'user-token' }, () => ({ status: 204 }))
      edge.serve({ method: 'POST', path: '/agents/register', auth: 'user-token' }, () => ({ body: {} }))
      edge.serve({ method: 'GET', path: '/agents/{id}/profile', auth: 'user-token' }, () => ({ body: {} }))
    })
    const allowed = async (path: string) => {
      const [response] = await sendRaw(app.port, ask('PUT', path))
      return response?.headers['allow']?.split(', ').sort()
    }
    assert.deepEqual(await allowed('/agents/register'), ['DELETE', 'OPTIONS', 'POST'])
    assert.deepEqual(await allowed('/agents/7?x=/'), ['DELETE', 'OPTIONS'])
    assert.deepEqual(await allowed('/agents/7/profile'), ['GET', 'HEAD', 'OPTIONS'])
  })

  test('HEAD has the headers of GET and no body', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    const [get] = await sendRaw(app.port, ask('GET', '/public/7'))
    const [head] = await sendRaw(app.port, ask('HEAD', '/public/7'))
    const varying = { 'x-request-id': '', date: '' }
    assert.deepEqual({ ...head?.headers, ...varying }, { ...get?.headers, ...varying })
    await using client = await rawClient(app.port, { hasBodies: false })
    let bytes = ''
    client.socket.on('data', (chunk) => {
      bytes += chunk
    })
    client.send(ask('HEAD', '/public/7'))
    await client.untilClosed()
    assert.ok(bytes.endsWith('\r\n\r\n'))
  })

  test('HEAD and OPTIONS do not run a handler whose GET changes something', async () => {
    const changes: string[] = []
    await using app = await edgeUnderTest((edge) => serveAll(edge, changes))
    for (const method of ['HEAD', 'OPTIONS', 'GET']) await sendRaw(app.port, ask(method, '/verify?token=x'))
    assert.deepEqual(changes, ['GET'])
  })

  test('OPTIONS * lists the methods of the server', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    const [response] = await sendRaw(app.port, ask('OPTIONS', '*'))
    assert.equal(response?.status, 204)
    assert.match(response?.headers['allow'] ?? '', /GET/)
  })

  test('a parameter is decoded once', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    for (const [encoded, id] of [
      ['a%20b', 'a b'],
      ['%2525', '%25'],
      ['a%2Fb', 'a/b'],
      ['%E2%82%AC', '€'],
      ['0xAB', '0xAB'],
    ]) {
      const [response] = await sendRaw(app.port, ask('GET', `/public/${encoded}?x=1`))
      assert.deepEqual(JSON.parse(response?.body ?? ''), { id })
    }
  })
})

suite('headers of every answer', () => {
  const ORIGIN = 'Origin: https://elsewhere.example\r\n'

  test('any origin may read public data, errors included, and never with credentials', async () => {
    await using app = await edgeUnderTest((edge) => {
      serveAll(edge)
      edge.serve({ method: 'GET', path: '/failing', auth: 'none' }, () => Promise.reject(new Error('no')))
    })
    for (const path of ['/public/7', '/verify', '/failing']) {
      const [response] = await sendRaw(app.port, ask('GET', path, ORIGIN))
      assert.equal(response?.headers['access-control-allow-origin'], '*', path)
      assert.equal(response?.headers['access-control-allow-credentials'], undefined, path)
    }
  })

  test('no other origin may read answers that need a credential, or register', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    for (const [method, path] of [
      ['GET', '/private'],
      ['POST', '/registrations'],
      ['OPTIONS', '/private'],
      ['OPTIONS', '/registrations'],
    ] as const) {
      const [response] = await sendRaw(app.port, ask(method, path, ORIGIN))
      assert.equal(response?.headers['access-control-allow-origin'], undefined, path)
      assert.equal(response?.headers['access-control-allow-methods'], undefined, path)
    }
  })

  test('a preflight is answered where the data are public', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    const preflight = `${ORIGIN}Access-Control-Request-Method: GET\r\nAccess-Control-Request-Headers: if-none-match\r\n`
    const [response] = await sendRaw(app.port, ask('OPTIONS', '/public/7', preflight))
    assert.equal(response?.status, 204)
    assert.equal(response?.headers['access-control-allow-origin'], '*')
    assert.equal(response?.headers['access-control-allow-methods'], 'GET, HEAD')
    assert.match(response?.headers['access-control-allow-headers'] ?? '', /if-none-match/)
  })

  test('answers are `no-store`, except public data with a cache time of their own', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    const cacheControl = async (method: string, path: string) =>
      (await sendRaw(app.port, ask(method, path)))[0]?.headers['cache-control']
    assert.equal(await cacheControl('GET', '/public/7'), 'public, max-age=5')
    assert.equal(await cacheControl('GET', '/private'), 'no-store')
    assert.equal(await cacheControl('POST', '/registrations'), 'no-store')
    assert.equal(await cacheControl('GET', '/nowhere'), 'no-store')
  })

  test('each answer has a request id of its own, no server banner, and the security headers for browsers', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge))
    const ids = new Set<string | undefined>()
    const targets = ['/public/7', '/private', '/nowhere', '/public/%zz']
    for (const target of targets) {
      const [response] = await sendRaw(app.port, ask('GET', target, 'X-Request-Id: mine\r\n'))
      const headers = response?.headers ?? {}
      ids.add(headers['x-request-id'])
      assert.equal(headers['x-content-type-options'], 'nosniff')
      assert.equal(headers['referrer-policy'], 'no-referrer')
      assert.match(headers['content-security-policy'] ?? '', /default-src 'none'.*frame-ancestors 'none'/)
      assert.equal(headers['strict-transport-security'], undefined)
      assert.equal(headers['server'] ?? headers['x-powered-by'], undefined)
    }
    assert.equal(ids.size, targets.length)
    assert.ok(!ids.has('mine') && !ids.has(undefined))
  })

  test('Strict-Transport-Security is sent if the public URL is https', async () => {
    await using app = await edgeUnderTest((edge) => serveAll(edge), { publicUrl: 'https://stake.example' })
    const [response] = await sendRaw(app.port, ask('GET', '/private'))
    assert.match(response?.headers['strict-transport-security'] ?? '', /max-age=\d+/)
  })

  test('a handler that serves a page can set its own Content-Security-Policy and Content-Type', async () => {
    await using app = await edgeUnderTest((edge) => {
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'self'",
      }
      edge.serve({ method: 'GET', path: '/docs', auth: 'none' }, () => ({
        body: Buffer.from('<p>'),
        headers,
      }))
    })
    const [response] = await sendRaw(app.port, ask('GET', '/docs'))
    assert.equal(response?.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(response?.headers['content-security-policy'], "default-src 'self'")
    assert.equal(response?.body, '<p>')
  })
})
