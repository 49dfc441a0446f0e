/** Pages of the documentation that an MCP client can read. */
type Page = {
  readonly uri: string
  readonly name: string
  readonly title: string
  readonly file: string
}

export const PAGES: readonly Page[] = [
  {
    uri: 'stakewright://glossary',
    name: 'glossary',
    title: 'Words that mean one thing here',
    file: 'glossary.md',
  },
  {
    uri: 'stakewright://method',
    name: 'method',
    title: 'How scores, splits and plans are made',
    file: 'allocation.md',
  },
  {
    uri: 'stakewright://networks',
    name: 'networks',
    title: 'The networks and their rules',
    file: 'networks.md',
  },
  { uri: 'stakewright://limits', name: 'limits', title: 'Limits, tiers and counters', file: 'limits.md' },
]

export const toResource = ({ uri, name, title }: Page) => ({ uri, name, title, mimeType: 'text/markdown' })

const SCHEMA_URI = 'stakewright://schema/'

/** The complete schemas of a tool, which `tools/list` shortens to save tokens. */
export const SCHEMAS = {
  uriTemplate: `${SCHEMA_URI}{tool}`,
  name: 'schema',
  title: 'Whole schemas of a tool, every field described',
  mimeType: 'application/schema+json',
}

export const schemaUri = (tool: string): string => `${SCHEMA_URI}${tool}`

/** The tool in a schema URI; empty for other URIs. */
export const toolOfSchema = (uri: string): string =>
  uri.startsWith(SCHEMA_URI) ? uri.slice(SCHEMA_URI.length) : ''
