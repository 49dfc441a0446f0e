import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EndpointName } from '@stakewright/contract'
import type { CallContext } from '#api/call.ts'
import { openMcp } from '#mcp/open-mcp.ts'
import { compressShared } from '../http/wire/compress.ts'
import type { HttpResponse } from '../http/wire/response.ts'
import { fileEncoder } from '../web/encoding.ts'

const TEXT = new TextEncoder().encode('a text that is worth compressing '.repeat(100))
/** An object with the prototype of bytes, whose compression fails. */
const NO_BYTES: Uint8Array = Object.create(Uint8Array.prototype)
const OUT_OF_MEMORY = /out of memory/

const CONTEXT: CallContext = {
  client: '127.0.0.1',
  signal: () => new AbortController().signal,
  note: () => {},
  credentials: () => ({ apiKey: undefined, bearer: undefined }),
  onQuota: () => {},
  audit: undefined,
  label: undefined,
}

/** Fails once, like a machine that runs out of memory or files for a moment. */
function failingOnce<T>(value: T): () => T {
  let hasFailed = false
  return () => {
    if (hasFailed) return value
    hasFailed = true
    throw new Error('out of memory')
  }
}

test('a response whose compression failed is compressed by the next request, once', async () => {
  const headers = failingOnce({})
  const response: HttpResponse = {
    isShared: true,
    body: TEXT,
    get headers() {
      return headers()
    },
  }
  const compress = compressShared()
  await assert.rejects(async () => compress(response, 'br'), OUT_OF_MEMORY)
  const compressed = await compress(response, 'br')
  assert.equal(compressed.headers?.['content-encoding'], 'br')
  assert.equal(await compress(response, 'br'), compressed)
})

test('a file of the web app whose compression failed is compressed by the next request, once', async () => {
  const contents = [NO_BYTES]
  const file = {
    contentType: 'text/plain',
    brotli: TEXT,
    get bytes() {
      return contents.pop() ?? TEXT
    },
  }
  const encode = fileEncoder()
  await assert.rejects(encode(file, 'gzip'), { code: 'ERR_INVALID_ARG_TYPE' })
  const compressed = await encode(file, 'gzip')
  assert(compressed.length < TEXT.length)
  assert.equal(await encode(file, 'gzip'), compressed)
})

test('if loading the MCP library fails for one request, the next request loads it', async () => {
  const names = failingOnce<readonly EndpointName[]>(['epoch'])
  let isOpen = false
  const api = {
    get names() {
      return isOpen ? names() : []
    },
    call: () => assert.fail('no tool is called'),
    checkCredential: async () => {},
  }
  const mcp = openMcp({ api, version: '0', network: 'sandbox', readPage: () => '', onError: () => {} })
  isOpen = true
  const ask = () =>
    mcp.answer({
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': '2025-11-25' },
      body: () => ({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      signal: new AbortController().signal,
      requestId: 'r',
      contextOf: () => CONTEXT,
      countOne: () => undefined,
    })
  await assert.rejects(ask(), OUT_OF_MEMORY)
  const { status, body } = await ask()
  assert.equal(status, 200, body)
  assert.match(body, /"epoch"/)
})
