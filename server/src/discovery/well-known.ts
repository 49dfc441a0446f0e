import { hash } from 'node:crypto'
import { ROUTES } from '@stakewright/contract'
import type { Facts } from './facts.ts'
import { SKILL_DESCRIPTION, SKILL_NAME, SKILL_PATH, skillText } from './skill.ts'

const SERVER_NAME = 'io.github.stakewright/stakewright'

/** The API catalog of RFC 9727: APIs and their descriptions. */
export const apiCatalog = ({ url }: Facts) => ({
  linkset: [
    {
      anchor: `${url}/api/v1`,
      'service-desc': [{ href: `${url}/openapi.json`, type: 'application/json' }],
      'service-doc': [
        { href: `${url}/docs`, type: 'text/html' },
        { href: `${url}/llms-full.txt`, type: 'text/plain' },
      ],
      status: [{ href: `${url}${ROUTES.health.path}`, type: 'application/json' }],
    },
  ],
})

/** The MCP server card: how a client connects. */
export const serverCard = ({ url, version, network, revisions }: Facts) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: SERVER_NAME,
  version,
  title: 'Stakewright',
  description: `Staking data, optimal splits, rebalance plans and unsigned transactions on ${network}.`,
  websiteUrl: url,
  remotes: [
    {
      type: 'streamable-http',
      url: `${url}/mcp`,
      headers: [
        {
          name: 'X-API-Key',
          description: 'An API key. Public tools work without one.',
          isRequired: false,
          isSecret: true,
        },
      ],
      supportedProtocolVersions: revisions,
    },
  ],
})

/** The catalog that lists the server card, for clients that know only the host. */
export const aiCatalog = ({ url }: Facts) => ({
  specVersion: '1.0',
  entries: [
    {
      identifier: `urn:air:${new URL(url).hostname}:mcp:stakewright`,
      type: 'application/mcp-server-card+json',
      url: `${url}/mcp/server-card`,
    },
  ],
})

/** Agent Skills Discovery 0.2.0; the digest is that of the bytes at the skill's URL. */
export const skillsIndex = (facts: Facts) => ({
  $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
  skills: [
    {
      name: SKILL_NAME,
      type: 'skill-md',
      description: SKILL_DESCRIPTION,
      url: SKILL_PATH,
      digest: `sha256:${hash('sha256', skillText(facts), 'hex')}`,
    },
  ],
})
