/** Pages of the documentation that an MCP client can read. */
export type Page = {
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
