import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** The protocol eras that clients speak today: with a handshake, and without one. */
export const ERAS = { '2025-11-25': 'legacy', '2026-07-28': 'auto' } as const
export type Revision = keyof typeof ERAS

export type ToolResult = {
  readonly isError: boolean
  readonly text: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The official client, connected to the service. */
export async function connectMcp(
  url: string,
  revision: Revision,
  headers: Readonly<Record<string, string>> = {},
) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: ERAS[revision] } },
  )
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } })
  await client.connect(transport)
  return {
    client,
    async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolResult> {
      const result = await client.callTool({ name, arguments: { ...args } })
      return toToolResult(result)
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

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
