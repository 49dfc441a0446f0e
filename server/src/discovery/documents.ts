import type { ApiPart } from '#api/part-of-api.ts'
import { authText } from './auth-text.ts'
import type { Facts } from './facts.ts'
import { llmsFullText, llmsText } from './llms-text.ts'
import { SKILL_PATH, skillText } from './skill.ts'
import { aiCatalog, apiCatalog, serverCard, skillsIndex } from './well-known.ts'

export type Document = {
  readonly contentType: string
  readonly render: (facts: Facts, part: ApiPart) => string
  /** Whether a query may select a part of the API. */
  readonly hasParts?: boolean
  /** Whether the text depends on the time, so that it is rendered for each request. */
  readonly changes?: boolean
}

const text = (render: Document['render']): Document => ({ contentType: 'text/plain; charset=utf-8', render })
const markdown = (render: Document['render']): Document => ({
  contentType: 'text/markdown; charset=utf-8',
  render,
})
const json = (contentType: string, value: (facts: Facts) => unknown): Document => ({
  contentType,
  render: (facts) => JSON.stringify(value(facts)),
})

const CARD = json('application/mcp-server-card+json', serverCard)
const CATALOG = json('application/ai-catalog+json', aiCatalog)

/** The documents that describe the service to programs, by path. All are rendered from the contract. */
export const DOCUMENTS: Readonly<Record<string, Document>> = {
  '/llms.txt': text(llmsText),
  '/llms-full.txt': { ...text(llmsFullText), hasParts: true },
  '/auth.md': markdown(authText),
  '/robots.txt': text(() => 'User-agent: *\nAllow: /\n'),
  '/.well-known/api-catalog': json(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    apiCatalog,
  ),
  '/.well-known/ai-catalog.json': CATALOG,
  '/.well-known/mcp/catalog.json': CATALOG,
  '/.well-known/mcp/server-card.json': CARD,
  '/mcp/server-card': CARD,
  '/.well-known/agent-skills/index.json': json('application/json', skillsIndex),
  [SKILL_PATH]: markdown(skillText),
}
