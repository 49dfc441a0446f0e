import { ERRORS } from '@stakewright/contract'
import { authText } from './auth-text.ts'
import { endpointLine, endpointText } from './endpoint-text.ts'
import type { Facts } from './facts.ts'
import { SKILL_PATH } from './skill.ts'

/** The index for language models, in the form that llmstxt.org describes. */
export function llmsText({ network, served, url, pages }: Facts): string {
  return [
    '# Stakewright',
    '',
    `> Staking data, optimal splits, rebalance plans and transaction parameters for automated agents, on the network ${network}. The caller signs; the service never holds a wallet’s key.`,
    '',
    'Amounts are strings of smallest units. APYs are percent per 365 days; commissions, weights and uptimes are fractions.',
    '',
    '## Start',
    '',
    `- [How to get a key](${url}/auth.md)`,
    `- [The whole API in one text](${url}/llms-full.txt)`,
    `- [OpenAPI 3.1](${url}/openapi.json)`,
    `- [MCP server](${url}/mcp/server-card): streamable HTTP at ${url}/mcp`,
    `- [Skill](${url}${SKILL_PATH}): how to decide, act and verify`,
    '',
    '## Endpoints',
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

/** The whole API, for a reader that has no other page. */
export function llmsFullText(facts: Facts): string {
  const codes = Object.entries(ERRORS).map(
    ([code, { status, meaning }]) => `- \`${code}\` (${status}): ${meaning}`,
  )
  return [
    '# Stakewright API',
    '',
    `Base URL: ${facts.url} · network: ${facts.network}`,
    '',
    authText(facts).replace('# ', '## '),
    '## Errors',
    '',
    'Every error is JSON with `error`, `message`, `status` and `requestId`.',
    '',
    ...codes,
    '',
    '## Endpoints',
    '',
    ...facts.served.map(endpointText),
  ].join('\n')
}
