/** Where the Model Context Protocol is served. */
export const MCP_ROUTE = { method: 'POST', path: '/mcp' } as const

type Head = { readonly method?: string | undefined; readonly url?: string | undefined }

/** Whether a request carries a message of MCP, whose clients read errors of JSON-RPC. */
export const isMessage = ({ method, url = '' }: Head): boolean =>
  method === MCP_ROUTE.method && (url === MCP_ROUTE.path || url.startsWith(`${MCP_ROUTE.path}?`))
