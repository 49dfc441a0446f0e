/**
 * Published formats of discovery documents as zod schemas, because no npm package has them. The formats allow unknown
 * fields; here an unknown field fails, because it would be a misspelt one.
 */
import { z } from 'zod'

const url = z.url({ protocol: /^https?$/ })
const SERVER_NAME = /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/

/** Fields of a value that a client asks its user for. */
const inputFields = {
  description: z.string().optional(),
  isRequired: z.boolean().optional(),
  isSecret: z.boolean().optional(),
  format: z.enum(['boolean', 'filepath', 'number', 'string']).optional(),
  value: z.string().optional(),
  default: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
}
const named = z.strictObject({ name: z.string(), ...inputFields })

/** A version, not a range of versions. */
const version = z
  .string()
  .max(255)
  .regex(/^(?![\^~<>=]|latest$)(?!.*\.[x*](?:\.|$))/)
const identity = {
  name: z.string().min(3).max(200).regex(SERVER_NAME),
  description: z.string().min(1).max(100),
  version,
  title: z.string().min(1).max(100).optional(),
  websiteUrl: url.optional(),
  repository: z.strictObject({ url, source: z.string(), id: z.string().optional() }).optional(),
}

/** https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json (SEP-2127). */
export const SERVER_CARD = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'),
  ...identity,
  remotes: z
    .array(
      z.strictObject({
        type: z.enum(['streamable-http', 'sse']),
        url,
        headers: z.array(named).optional(),
        supportedProtocolVersions: z.array(z.string()).optional(),
      }),
    )
    .optional(),
})

/** https://github.com/Agent-Card/ai-catalog, with the entries of SEP-2127. */
export const AI_CATALOG = z.strictObject({
  specVersion: z.string().regex(/^\d+\.\d+$/),
  entries: z.array(
    z.strictObject({
      identifier: z.string().regex(/^urn:air:[a-z0-9.-]+:[a-z0-9-]+:[a-z0-9-]+$/),
      type: z.literal('application/mcp-server-card+json'),
      url,
    }),
  ),
})

/** RFC 9264, section 4.2: link targets by relation, for each anchor. RFC 9727 names the relations of an API. */
const targets = z
  .array(
    z.strictObject({
      href: url,
      type: z
        .string()
        .regex(/^[\w.+-]+\/[\w.+-]+$/)
        .optional(),
      title: z.string().optional(),
      hreflang: z.array(z.string()).optional(),
    }),
  )
  .min(1)
export const API_CATALOG = z.strictObject({
  linkset: z
    .array(
      z.strictObject({
        anchor: url,
        'service-desc': targets,
        'service-doc': targets.optional(),
        'service-meta': targets.optional(),
        status: targets.optional(),
      }),
    )
    .min(1),
})

/** Agent Skills Discovery 0.2.0, section "Index Format". */
export const SKILLS_INDEX = z.strictObject({
  $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
  skills: z.array(
    z.strictObject({
      name: z
        .string()
        .max(64)
        .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
      type: z.enum(['skill-md', 'archive']),
      description: z.string().min(1).max(1024),
      url: z.string().min(1),
      digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
    }),
  ),
})

/** https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json (the MCP registry). */
export const SERVER_JSON = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  ...identity,
  packages: z.array(
    z.strictObject({
      registryType: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb']),
      identifier: z.string(),
      version: version.optional(),
      runtimeHint: z.string().optional(),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z
        .array(z.strictObject({ ...inputFields, type: z.literal('positional'), value: z.string() }))
        .optional(),
      environmentVariables: z.array(named).optional(),
    }),
  ),
})
