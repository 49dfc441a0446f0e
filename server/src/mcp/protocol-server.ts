import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { nearestName } from '@stakewright/contract'
import { shownName } from '../secrets/shown-name.ts'
import type { callTools, McpCaller } from './call-tool.ts'
import { PROMPTS, problemWith } from './prompts.ts'
import { noSuchTool } from './refuse-tool.ts'
import { PAGES, SCHEMAS, schemaUri, toolOfSchema, toResource } from './resources.ts'
import { wholeSchema } from './tool-schemas.ts'
import type { Tool } from './tool-table.ts'

type ServerNeeds = {
  readonly name: string
  readonly version: string
  readonly instructions: string
  readonly tools: ReadonlyMap<string, Tool>
  readonly call: ReturnType<typeof callTools>
  /** The text of a page of the documentation. */
  readonly readPage: (file: string) => string
}

const HOUR = { ttlMs: 3_600_000, cacheScope: 'public' } as const
const CACHE_HINTS = {
  'tools/list': HOUR,
  'prompts/list': HOUR,
  'resources/list': HOUR,
  'resources/templates/list': HOUR,
  'resources/read': HOUR,
  'server/discover': HOUR,
}

/**
 * The MCP server of one request. Uses the library's low-level server, because the high-level one converts every schema
 * for each request.
 */
export function protocolServer(needs: ServerNeeds, caller: McpCaller): Server {
  const { name, version, instructions, tools, call, readPage } = needs
  const server = new Server(
    { name, version, title: 'Stakewright' },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions,
      cacheHints: CACHE_HINTS,
    },
  )
  server.setRequestHandler('tools/list', ({ params }) => ({
    ...firstPage(params),
    tools: [...tools.values()].map(({ description }) => description),
  }))
  server.setRequestHandler('tools/call', ({ params }) => {
    const tool = tools.get(params.name)
    if (tool === undefined) throw notFound(...noSuchTool(params.name, [...tools.keys()]))
    return call(tool, params.arguments ?? {}, caller)
  })
  server.setRequestHandler('resources/list', ({ params }) => ({
    ...firstPage(params),
    resources: PAGES.map(toResource),
  }))
  server.setRequestHandler('resources/templates/list', ({ params }) => ({
    ...firstPage(params),
    resourceTemplates: [SCHEMAS],
  }))
  server.setRequestHandler('resources/read', ({ params }) => {
    const { uri } = params
    const page = PAGES.find((page) => page.uri === uri)
    if (page) return { contents: [{ uri, mimeType: 'text/markdown', text: readPage(page.file) }] }
    const tool = tools.get(toolOfSchema(uri))
    if (tool) {
      const text = JSON.stringify(wholeSchema(tool))
      return { contents: [{ uri, mimeType: 'application/schema+json', text }] }
    }
    const known = [...PAGES.map((page) => page.uri), ...[...tools.keys()].map(schemaUri)]
    const data = isShownUri(uri) ? { uri } : {}
    throw notFound('There is no resource with this URI.', suggestOr(uri, known, 'Call resources/list.'), data)
  })
  server.setRequestHandler('prompts/list', ({ params }) => ({
    ...firstPage(params),
    prompts: [...PROMPTS].map(([id, { text: _text, ...prompt }]) => ({
      name: id,
      ...prompt,
      arguments: prompt.arguments.map(({ form: _form, ...argument }) => argument),
    })),
  }))
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = PROMPTS.get(params.name)
    if (prompt === undefined)
      throw notFound(
        `There is no prompt called ${shownName(params.name)}.`,
        suggestOr(params.name, [...PROMPTS.keys()], 'Call prompts/list.'),
      )
    const given = params.arguments ?? {}
    const problem = problemWith(prompt, given)
    if (problem) throw notFound(...problem)
    const text = prompt.text(given)
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] }
  })
  return server
}

const isShownUri = (uri: string): boolean => uri.split(/:\/\/|\//).every((part) => shownName(part) === part)

/** Every list is a single page, so any cursor is refused. */
function firstPage(params: { readonly cursor?: string | undefined } | undefined): object {
  if (params?.cursor === undefined) return {}
  throw notFound('There is no page behind this cursor: the list is one page.', 'Leave out `cursor`.')
}

const notFound = (message: string, fix: string, data: object = {}) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} ${fix}`, { ...data, fix })

function suggestOr(given: string, known: readonly string[], otherwise: string): string {
  const near = nearestName(given, known)
  return near === undefined ? otherwise : `Use ${near}, if that is what you mean. ${otherwise}`
}
