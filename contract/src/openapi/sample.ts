import { z } from 'zod'
import { inlined, type JsonSchema } from './json-schema.ts'

/** A value of a schema as an example: what its fields give as one, or the plainest value of their type. */
export function sampleOf(schema: z.ZodType, io: 'input' | 'output'): unknown {
  return sample(inlined(z.toJSONSchema(schema, { io, unrepresentable: 'any' })))
}

function sample(schema: JsonSchema): unknown {
  const { examples, const: only, enum: values, default: fallback } = schema
  for (const given of [examples, values]) if (Array.isArray(given) && given.length > 0) return given[0]
  if (only !== undefined) return only
  if (fallback !== undefined) return fallback
  const forms = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(forms)) return sample(forms.find(({ type }) => type !== 'null') ?? {})
  return plainest(schema)
}

function plainest(schema: JsonSchema): unknown {
  const { properties, items, format, pattern } = schema
  switch (typeIn(schema)) {
    case 'object':
      return mapValues(toSchemas(properties))
    case 'array':
      return typeof items === 'object' && items !== null ? [sample({ ...items })] : []
    case 'integer':
    case 'number':
      return leastOf(schema)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return typeof pattern === 'string' ? fitting(pattern) : format === 'date-time' ? MOMENT : '…'
  }
}

const MOMENT = '2026-01-31T12:00:00.000Z'

/** Of `string | null` the string. */
function typeIn({ type }: JsonSchema): unknown {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}

function leastOf({ minimum, exclusiveMinimum }: JsonSchema): number {
  if (typeof exclusiveMinimum === 'number') return Math.max(exclusiveMinimum + 1, 1)
  return typeof minimum === 'number' ? Math.max(minimum, 0) : 0
}

/** Texts with a form of their own that no field gives an example of. */
const FORMS = ['1', '0'.repeat(43), MOMENT, `0x${'a1'.repeat(32)}`]

const fitting = (pattern: string): string => FORMS.find((text) => new RegExp(pattern, 'u').test(text)) ?? '…'

const mapValues = (properties: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, sample(field)]))

/** JSON Schema has a schema for each name here. */
const toSchemas = (value: unknown) => (value ?? {}) as Readonly<Record<string, JsonSchema>>
