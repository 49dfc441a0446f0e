/** The route of the Model Context Protocol. */
export const MCP_ROUTE = { method: 'POST', path: '/mcp' } as const

type Head = { readonly method?: string | undefined; readonly url?: string | undefined }

/** Whether a request is an MCP message, whose client expects JSON-RPC errors. */
export const isMessage = ({ method, url = '' }: Head): boolean =>
  method === MCP_ROUTE.method && (url === MCP_ROUTE.path || url.startsWith(`${MCP_ROUTE.path}?`))
