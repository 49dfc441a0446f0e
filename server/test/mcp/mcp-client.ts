import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** The protocol eras that clients speak today: with a handshake, and without one. */
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

/** The official client, which starts the command line as a program of its own. */
export async function connectStdio({ command, args, env }: Program, revision: Revision): Promise<Mcp> {
  const client = clientOf(revision)
  const transport = new StdioClientTransport({ command, args: [...args], env: { ...env } })
  try {
    await client.connect(transport)
  } catch (error) {
    // The program goes on; nobody else would end it.
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

/** The client has checked the result against the protocol's schema and the tool's own output schema. */
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
