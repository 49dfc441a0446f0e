import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openEdge } from '../../src/http/edge.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { edgeUnderTest, silentMeters } from './edge-under-test.ts'

suite('listening', () => {
  test('returns the host, port and URL that it listens on', async () => {
    await using edge = openEdge({ logger: silentLogger, meters: silentMeters })
    const at = await edge.listen({ host: '127.0.0.1', port: 0 })
    assert.equal(at.host, '127.0.0.1')
    assert.equal(at.url, `http://127.0.0.1:${at.port}`)
    assert.equal((await fetch(at.url)).status, 404)
  })

  test('a port in use is an error that names the port and the variable to change', async () => {
    await using app = await edgeUnderTest()
    await using edge = openEdge({ logger: silentLogger, meters: silentMeters })
    await assert.rejects(edge.listen({ host: '127.0.0.1', port: app.port }), (error) => {
      assert.ok(error instanceof Error)
      assert.match(error.message, new RegExp(`127\\.0\\.0\\.1, port ${app.port}\\..*in use.*PORT`))
      return true
    })
  })

  test('an address that this machine does not have is an error that names the variable to change', async () => {
    await using edge = openEdge({ logger: silentLogger, meters: silentMeters })
    await assert.rejects(edge.listen({ host: '203.0.113.1', port: 0 }), /HOST/)
  })

  test('two servers can share a port if both set `reusePort`', async () => {
    await using first = openEdge({ logger: silentLogger, meters: silentMeters })
    await using second = openEdge({ logger: silentLogger, meters: silentMeters })
    const { port } = await first.listen({ host: '127.0.0.1', port: 0, reusePort: true })
    assert.equal((await second.listen({ host: '127.0.0.1', port, reusePort: true })).port, port)
  })
})
