import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { ENDPOINTS, type EndpointName } from '../index.ts'
import { APY_EPOCHS, TIERS } from '../limits.ts'
import { inThousands } from '../texts/in-thousands.ts'
import { replyJsonSchema } from './json-schema.ts'
import { openapiDocument } from './openapi.ts'

type Schema = { readonly [keyword: string]: unknown }

test('every field of every request and answer has a description', () => {
  const rows: Record<string, EndpointSpec> = ENDPOINTS
  const silent = Object.entries(rows).flatMap(([name, { params, query, body, reply, waiting }]) => [
    ...[params, query, body].flatMap((part) => (part ? silentFields(part, 'input', name) : [])),
    ...silentFields(reply, 'output', `${name} answer`),
    ...(waiting ? silentFields(waiting, 'output', `${name} waiting`) : []),
  ])
  assert.deepEqual([...new Set(silent)], [], 'these fields have no description')
})

test('every parameter of every OpenAPI operation has a description of its own', () => {
  const { paths = {} } = openapiDocument(Object.keys(ENDPOINTS) as EndpointName[], '0')
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item ?? {}).map(([method, operation]) => ({ path, method, operation })),
  )
  const silent = operations.flatMap(({ path, method, operation }) =>
    parametersOf(operation).flatMap(({ name, description }) =>
      description === undefined ? [`${method} ${path} ${name}`] : [],
    ),
  )
  assert(operations.length >= Object.keys(ENDPOINTS).length)
  assert.deepEqual(silent, [])
})

test('the descriptions of a validator’s APY name the same epochs as the glossary', async () => {
  const { short, long } = APY_EPOCHS
  const windows = `the lower of its means over the last ${short} and the last ${long} completed epochs`
  for (const [endpoint, list] of [
    ['validators', 'data'],
    ['scoredValidators', 'validators'],
  ] as const) {
    const { properties } = replyJsonSchema(ENDPOINTS[endpoint])
    const { description } = Object(properties)[list].items.properties.apy
    assert(String(description).includes(windows), `${endpoint}: ${description}`)
  }
  const glossary = await readFile(new URL('../../../docs/glossary.md', import.meta.url), 'utf8')
  const row = glossary.split('\n').find((line) => line.startsWith('| APY ')) ?? ''
  assert(row.includes(windows), row)
})

test('docs/limits.md has the limits of every tier', async () => {
  const page = await readFile(new URL('../../../docs/limits.md', import.meta.url), 'utf8')
  for (const [name, { rpm, rpd, visibleValidators, mayRebalance }] of Object.entries(TIERS)) {
    const visible = Number.isFinite(visibleValidators) ? `the best ${visibleValidators}` : 'all'
    const cells = [`\`${name}\``, inThousands(rpm), inThousands(rpd), visible, mayRebalance ? 'yes' : 'no']
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\``)) ?? ''
    const documented = row.split('|').map((cell) => cell.trim())
    assert.deepEqual(documented.slice(1, -2), cells)
  }
})

type Parameter = { readonly name?: string; readonly description?: string }

const parametersOf = (operation: unknown): readonly Parameter[] => {
  const { parameters } = Object(operation)
  return Array.isArray(parameters) ? parameters : []
}

/** Fields without a description, neither their own nor that of the schema they refer to. */
function silentFields(schema: z.ZodType, io: 'input' | 'output', name: string): readonly string[] {
  const document: Schema = z.toJSONSchema(schema, { io })
  const definitions = document['$defs'] as Record<string, Schema> | undefined
  const isSilent = ({ description, $ref }: Schema) =>
    description === undefined &&
    definitions?.[String($ref).replace('#/$defs/', '')]?.['description'] === undefined
  const find = (value: unknown, path: string): readonly string[] => {
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, inner]) => {
      if (key !== 'properties') return find(inner, key === '$defs' ? name : path)
      return Object.entries(inner as Record<string, Schema>).flatMap(([field, property]) => [
        ...(isSilent(property) ? [`${path}.${field}`] : []),
        ...find(property, `${path}.${field}`),
      ])
    })
  }
  return find(document, name)
}
