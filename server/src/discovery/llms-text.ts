import { ERRORS } from '@stakewright/contract'
import { errorJsonSchema } from '@stakewright/contract/json-schema'
import type { ApiPart } from '#api/part-of-api.ts'
import { authText } from './auth-text.ts'
import { endpointLine, endpointText, fieldLines } from './endpoint-text.ts'
import { type Facts, isSandbox } from './facts.ts'
import { SKILL_PATH } from './skill.ts'

/** The index for language models, in the form that llmstxt.org describes. */
export function llmsText(facts: Facts): string {
  const { network, served, url, pages } = facts
  return [
    '# Stakewright',
    '',
    `> Staking data, optimal splits, rebalance plans and transaction parameters for automated agents, on the network ${network}. The caller signs; the service never holds a wallet’s key.`,
    '',
    'Amounts are strings of smallest units. APYs are percent per 365 days; commissions, weights and uptimes are fractions.',
    '',
    '## Start',
    '',
    `- [How to get a key](${url}/auth.md): ${isSandbox(facts) ? 'in one call for the sandbox, ' : ''}by a Sui wallet, or by mail`,
    `- [The whole API in one text](${url}/llms-full.txt): long; [one endpoint](${url}/llms-full.txt?operation=allocate) by its name, or [one tag](${url}/llms-full.txt?tag=Transactions)`,
    `- [OpenAPI 3.1](${url}/openapi.json): long; [one operation](${url}/openapi.json?operation=allocate) by its name, or [one tag](${url}/openapi.json?tag=Transactions)`,
    `- [MCP server](${url}/mcp/server-card): streamable HTTP at ${url}/mcp`,
    `- [Skill](${url}${SKILL_PATH}): how to decide, act and verify`,
    '',
    '## Endpoints',
    '',
    'By method and path; other texts call them by the name in parentheses, MCP by the same name in snake case, but for those that need a user token: they are no tools. Behind the dash: what it takes, `?` optional, `…` and more.',
    '',
    ...served.map(endpointLine),
    '',
    '## Documentation',
    '',
    ...pages
      .filter((page) => !page.includes('/'))
      .map((page) => `- [${page.replace('.md', '')}](${url}/docs/${page})`),
    '',
  ].join('\n')
}

/** The whole API in one text; for a part of it, only its endpoints. */
export function llmsFullText(facts: Facts, { kind, names }: ApiPart): string {
  const title = ['# Stakewright API', '', `Base URL: ${facts.url} · network: ${facts.network}`, '']
  const endpoints = ['## Endpoints', '', ...names.map(endpointText)]
  if (kind === 'all') return [...title, ...basics(facts), ...endpoints].join('\n')
  const more = `Keys: ${facts.url}/auth.md · errors and all other endpoints: ${facts.url}/llms-full.txt`
  return [...title, more, '', ...endpoints].join('\n')
}

/** Authentication and errors, which concern all endpoints. */
function basics(facts: Facts): readonly string[] {
  const codes = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`,
  )
  return [
    authText(facts).replace('# ', '## '),
    '## Errors',
    '',
    'Every error is JSON. Do what `fix` says; `next` is the call that leads on; send the same request again only if `retryable` is true.',
    '',
    ...fieldLines('Body', errorJsonSchema()),
    'Codes:',
    ...codes,
    '',
  ]
}
