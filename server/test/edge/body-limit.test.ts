import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { suite, test } from 'node:test'
import { LIMITS } from '@stakewright/contract/limits'
import type { EdgeOptions } from '../../src/http/edge.ts'
import { edgeUnderTest } from './edge-under-test.ts'
import { assertErrorAnswer } from './error-answers.ts'
import { rawClient } from './raw-client.ts'

const LIMIT = LIMITS.bodyBytes
const HEAD = 'POST /thing HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

/** A JSON string of exactly `length` bytes. */
const json = (length: number) => `"${'x'.repeat(length - 2)}"`

const declared = (body: string, length = body.length) => `${HEAD}Content-Length: ${length}\r\n\r\n${body}`

function chunked(body: string, chunkSize: number): string {
  let framed = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
  for (let at = 0; at < body.length; at += chunkSize) {
    const chunk = body.slice(at, at + chunkSize)
    framed += `${chunk.length.toString(16)}\r\n${chunk}\r\n`
  }
  return `${framed}0\r\n\r\n`
}

const echoLength = (options: EdgeOptions = {}) =>
  edgeUnderTest((edge) => {
    edge.serve({ method: 'POST', path: '/thing', auth: 'agent-key' }, (inbound) => ({
      body: { length: String(inbound.body()).length + 2 },
    }))
  }, options)

suite('the body limit', () => {
  const framings = {
    'Content-Length': declared,
    'one chunk': (body: string) => chunked(body, body.length),
    'chunks of 1,000 bytes': (body: string) => chunked(body, 1_000),
  }

  for (const [framing, frame] of Object.entries(framings)) {
    for (const length of [LIMIT - 1, LIMIT]) {
      test(`${length} bytes are read (${framing})`, async () => {
        await using app = await echoLength()
        await using client = await rawClient(app.port)
        client.send(frame(json(length)))
        const { status, body } = await client.next()
        assert.equal(status, 200, body)
        assert.deepEqual(JSON.parse(body), { length })
      })
    }

    test(`${LIMIT + 1} bytes are refused (${framing})`, async () => {
      await using app = await echoLength()
      await using client = await rawClient(app.port)
      client.send(frame(json(LIMIT + 1)))
      assertErrorAnswer(await client.next(), 413)
      assert.deepEqual(await client.untilClosed(), [])
    })
  }

  test('413: a body whose Content-Length is too large is refused before it is sent', async () => {
    await using app = await echoLength()
    await using client = await rawClient(app.port)
    client.send(declared('', LIMIT + 1))
    assertErrorAnswer(await client.next(), 413)
  })

  test('413: a chunked body that never ends is refused at the first byte above the limit', async () => {
    await using app = await echoLength()
    await using client = await rawClient(app.port)
    client.send(chunked(json(LIMIT), 1_024).replace(/0\r\n\r\n$/, ''))
    client.send('1\r\nx\r\n')
    assertErrorAnswer(await client.next(), 413)
  })

  test('413: the answer arrives although the client keeps sending', async () => {
    await using app = await echoLength()
    await using client = await rawClient(app.port)
    client.send(chunked('x'.repeat(20 * LIMIT), 65_536))
    assertErrorAnswer(await client.next(), 413)
  })

  test('413: the answer arrives although the client reads nothing before it has sent everything', async () => {
    await using app = await echoLength()
    await using client = await rawClient(app.port, { reads: false })
    // More than the socket buffers of both sides hold, so the server must read it.
    client.socket.write(declared('x'.repeat(16_000_000)), () => client.socket.resume())
    assertErrorAnswer(await client.next(), 413)
  })

  test('408: a body shorter than its Content-Length is answered when its time is up, and the connection closed', async () => {
    await using app = await echoLength({ requestMs: 200, cutMs: 100 })
    await using client = await rawClient(app.port)
    client.send(declared('{"a":', 100))
    const [response] = await client.untilClosed()
    assertErrorAnswer(response, 408)
  })

  test('400: bytes beyond Content-Length are read as a second, malformed request', async () => {
    await using app = await echoLength()
    await using client = await rawClient(app.port)
    client.send(declared('"ab" and more\r\n\r\n', 4))
    const [first, second] = await client.untilClosed()
    assert.equal(first?.status, 200)
    assertErrorAnswer(second, 400)
  })

  const departures: Readonly<Record<string, (socket: Socket) => void>> = {
    'hangs up': (socket) => socket.destroy(),
    'resets the connection': (socket) => socket.resetAndDestroy(),
  }
  for (const [name, leave] of Object.entries(departures)) {
    test(`a client that ${name} in the middle of its body is logged as info, not as an error`, async () => {
      await using app = await echoLength()
      await using client = await rawClient(app.port)
      const line = app.nextLine()
      client.send(declared('{"a":', 100))
      leave(client.socket)
      await line
      assert.deepEqual(
        app.lines.map(({ level }) => level),
        ['info'],
      )
    })
  }
})
