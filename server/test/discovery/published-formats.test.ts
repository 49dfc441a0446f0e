import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { NETWORK_NAMES } from '@stakewright/contract/networks'
import type { z } from 'zod'
import { DOCUMENTS } from '#discovery/documents.ts'
import { serverCard } from '#discovery/well-known.ts'
import { connectMcp } from '../mcp/mcp-client.ts'
import { openTestApp } from '../support/test-app.ts'
import { AI_CATALOG, API_CATALOG, SERVER_CARD, SERVER_JSON, SKILLS_INDEX } from './published-formats.ts'

const FORMATS: Readonly<Record<string, z.ZodType>> = {
  '/.well-known/api-catalog': API_CATALOG,
  '/.well-known/ai-catalog.json': AI_CATALOG,
  '/.well-known/mcp/catalog.json': AI_CATALOG,
  '/.well-known/mcp/server-card.json': SERVER_CARD,
  '/mcp/server-card': SERVER_CARD,
  '/.well-known/agent-skills/index.json': SKILLS_INDEX,
}

const serverJson = () =>
  JSON.parse(readFileSync(new URL('../../../server.json', import.meta.url), 'utf8')) as object

/** The problems of a document under its format; empty if it is valid. */
const problemsOf = (format: z.ZodType, document: unknown): readonly string[] => {
  const read = format.safeParse(document)
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
}

test('every JSON document of discovery is valid under its published format', async () => {
  await using app = await openTestApp()
  const served = Object.entries(DOCUMENTS).filter(([, { contentType }]) => /json/.test(contentType))
  assert.deepEqual(served.map(([path]) => path).sort(), Object.keys(FORMATS).sort())
  for (const [path, format] of Object.entries(FORMATS)) {
    const document = await (await fetch(`${app.url}${path}`)).json()
    assert.deepEqual(problemsOf(format, document), [], path)
  }
  assert.deepEqual(problemsOf(SERVER_JSON, serverJson()), [])
})

test('a document that lacks any of its fields, or has an unknown one, is invalid', async () => {
  await using app = await openTestApp()
  const documents = Object.entries(FORMATS).map(async ([path, format]) => {
    return [format, (await (await fetch(`${app.url}${path}`)).json()) as object] as const
  })
  const optional = ['title', 'websiteUrl', 'remotes']
  for (const [format, document] of [
    ...(await Promise.all(documents)),
    [SERVER_JSON, serverJson()] as const,
  ]) {
    assert.notDeepEqual(problemsOf(format, { ...document, extra: 1 }), [])
    for (const name of Object.keys(document).filter((each) => !optional.includes(each))) {
      const { [name as never]: _, ...rest } = document
      assert.notDeepEqual(problemsOf(format, rest), [], name)
    }
  }
})

test('the server card is valid on every network, also the length of its description', () => {
  for (const network of NETWORK_NAMES) {
    const limits = {
      ipPerMinute: 1,
      registrationsPerIpHour: 1,
      registrationsPerIpDay: 1,
      registrationsPerDay: 1,
    }
    const facts = { version: '0.1.0', network, served: [], url: 'https://example.org', limits, pages: [] }
    assert.deepEqual(
      problemsOf(SERVER_CARD, serverCard({ ...facts, revisions: ['2026-07-28'] })),
      [],
      network,
    )
  }
})

test('the server card has the name, version and protocol revisions of the MCP server', async () => {
  await using app = await openTestApp()
  const card = SERVER_CARD.parse(await (await fetch(`${app.url}/mcp/server-card`)).json())
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const { name, version, title } = mcp.client.getServerVersion() ?? {}
  assert.deepEqual([card.name.split('/')[1], card.version, card.title], [name, version, title])
  const [newest, ...older] = card.remotes?.[0]?.supportedProtocolVersions ?? []
  assert.equal(mcp.client.getNegotiatedProtocolVersion(), newest)
  assert(older.length > 0)
  for (const revision of older) assert.equal(await agreedRevision(app.url, revision), revision)
})

/** The protocol revision that the server accepts in an `initialize` handshake. */
async function agreedRevision(url: string, protocolVersion: string): Promise<string | undefined> {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const text = await (await fetch(`${url}/mcp`, { method: 'POST', headers, body })).text()
  return /"protocolVersion":"([\d-]+)"/.exec(text)?.[1]
}

test('cards and catalogs may be read by any origin, and are cached for an hour', async () => {
  await using app = await openTestApp()
  for (const path of Object.keys(FORMATS)) {
    const { headers } = await fetch(`${app.url}${path}`, { headers: { origin: 'https://elsewhere.example' } })
    assert.equal(headers.get('access-control-allow-origin'), '*', path)
    assert.equal(headers.get('cache-control'), 'public, max-age=3600', path)
  }
})

test('HEAD of the API catalog links to the catalog and to the documents it describes (RFC 9727, section 2)', async () => {
  await using app = await openTestApp()
  const { status, headers } = await fetch(`${app.url}/.well-known/api-catalog`, { method: 'HEAD' })
  assert.equal(status, 200)
  assert.match(
    headers.get('content-type') ?? '',
    /^application\/linkset\+json; profile="https:\/\/www\.rfc-editor\.org\/info\/rfc9727"$/,
  )
  for (const relation of ['api-catalog', 'service-desc', 'service-doc'])
    assert(headers.get('link')?.includes(`rel="${relation}"`), relation)
})
