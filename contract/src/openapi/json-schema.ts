import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { FIGURES } from '../fields.ts'
import { replyInPart } from '../lists.ts'
import { oncePer } from '../once-per.ts'
import { IdempotencyKey, requestHeaders } from '../request-headers.ts'
import { ErrorSchema } from './error-schema.ts'

export { boundsInWords } from './bounds.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

// Conversions are cached: all endpoints take a tenth of a second, and many texts use the same schemas.

/** An endpoint's input (path, query and body in one flat object) as JSON Schema without references. */
export const inputJsonSchema = oncePer((spec: EndpointSpec): JsonSchema => {
  const shape = { ...spec.params?.shape, ...spec.query?.shape, ...spec.body?.shape }
  return inlined(z.toJSONSchema(z.strictObject(shape), { io: 'input' }), UNIT)
})

/** The headers that only this endpoint takes, likewise; undefined: none. */
export function headersJsonSchema(spec: EndpointSpec): JsonSchema | undefined {
  const headers = requestHeaders(spec)
  return headers && inlined(z.toJSONSchema(headers, { io: 'input' }))
}

/** The idempotency key as an input, for transports without headers; undefined: the endpoint takes none. */
export const repeatJsonSchema = (spec: EndpointSpec): JsonSchema | undefined =>
  spec.isRepeatable ? inlined(z.toJSONSchema(IdempotencyKey, { io: 'input' })) : undefined

/**
 * The reply as JSON Schema without references. Objects stay open, because replies may gain fields. Bounds and
 * patterns are left out: they matter for inputs only.
 */
export function replyJsonSchema(
  spec: EndpointSpec,
  parts: 'described' | 'names and types' = 'described',
): JsonSchema {
  return parts === 'described' ? describedReply(spec) : withoutKeywords(describedReply(spec), ['description'])
}

const describedReply = oncePer((spec: EndpointSpec) =>
  withoutKeywords(inlined(z.toJSONSchema(replyInPart(spec), { io: 'output' }), UNIT), BOUNDS),
)

/** The reply schema with the kind of each figure as `figure`. */
export const figuresOf = ({ reply }: EndpointSpec): JsonSchema =>
  inlined(
    z.toJSONSchema(reply, {
      io: 'output',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, FIGURES.get(zodSchema)),
    }),
  )

/** The reply with 202 if the owner must approve first; undefined if none is needed. */
export const waitingJsonSchema = ({ waiting }: EndpointSpec): JsonSchema | undefined =>
  waiting && withoutKeywords(inlined(z.toJSONSchema(waiting, { io: 'output' })), BOUNDS)

export const errorJsonSchema = (): JsonSchema => inlined(z.toJSONSchema(ErrorSchema, { io: 'output' }))

/**
 * Inlines every `$ref`, because many MCP clients do not resolve them. No schema is recursive. An amount with its
 * own description loses the shared one that names the unit, so `unit` is appended, unless it names one itself.
 */
export function inlined(schema: JsonSchema, unit = ''): JsonSchema {
  const definitions = toObject(schema['$defs'])
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (!isObject(value)) return value
    const { $ref, ...own } = value
    const target = typeof $ref === 'string' ? toObject(definitions[$ref.replace('#/$defs/', '')]) : {}
    const { description } = own
    const isAmount =
      $ref === '#/$defs/Amount' && typeof description === 'string' && !NAMES_UNIT.test(description)
    return mapValues({ ...target, ...own, ...(isAmount && { description: description + unit }) }, resolve)
  }
  return toObject(resolve(withoutKeys(schema, ['$defs', '$schema'])))
}

const UNIT = ' In smallest units.'
const NAMES_UNIT = /\bMIST\b|smallest units/

const BOUNDS = [
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'minLength',
  'maxLength',
  'examples',
]

/** Keeps properties that are named like a keyword: their schema is an object, which no value of these keywords is. */
function withoutKeywords(schema: JsonSchema, keywords: readonly string[]): JsonSchema {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip)
    if (!isObject(value)) return value
    const closed = value['additionalProperties'] === false ? ['additionalProperties'] : []
    const cut = [...keywords, ...closed].filter((keyword) => !isObject(value[keyword]))
    return mapValues(withoutKeys(value, cut), strip)
  }
  return toObject(strip(schema))
}

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const toObject = (value: unknown): JsonSchema => (isObject(value) ? value : {})

/** Drops the `id` that zod writes for a named schema. A property called id has an object as its schema and stays. */
const mapValues = (object: JsonSchema, change: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string')
      .map(([key, value]) => [key, change(value)]),
  )

const withoutKeys = (object: JsonSchema, keys: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
