import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Modes of the official client by protocol revision: with an `initialize` handshake, and without. */
export const ERAS = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const
export type Revision = keyof typeof ERAS

export type ToolResult = {
  readonly isError: boolean
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

export type Mcp = AsyncDisposable & {
  readonly client: Client
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolResult>
}

/** The official client, connected to the service. */
export async function connectMcp(
  url: string,
  revision: Revision,
  headers: Readonly<Record<string, string>> = {},
): Promise<Mcp> {
  const client = clientOf(revision)
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
  await client.connect(transport)
  return toMcp(client)
}

type Program = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** The official client, connected by stdio to a program that it starts. */
export async function connectStdio({ command, args, env }: Program, revision: Revision): Promise<Mcp> {
  const client = clientOf(revision)
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env } })
  try {
    await client.connect(transport)
  } catch (error) {
    // The started program is still running, and nothing else would end it.
    await transport.close()
    throw error
  }
  return toMcp(client)
}

const clientOf = (revision: Revision): Client =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: ERAS[revision] } })

const toMcp = (client: Client): Mcp => ({
  client,
  call: async (name, args = {}) => toToolResult(await client.callTool({ name, arguments: { ...args } })),
  [Symbol.asyncDispose]: () => client.close(),
})

/** The casts hold because the client has checked the result against the protocol's and the tool's output schema. */
function toToolResult(result: {
  readonly isError?: boolean | undefined
  readonly content?: unknown
  readonly structuredContent?: unknown
}): ToolResult {
  const [first] = result.content as readonly { readonly text?: string }[]
  return {
    isError: result.isError ?? false,
    text: first?.text ?? '',
    data: (result.structuredContent ?? {}) as ToolResult['data'],
  }
}
