import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { FIGURES } from '../fields.ts'
import { replyInPart } from '../lists.ts'
import { IdempotencyKey, requestHeaders } from '../request-headers.ts'
import { ErrorSchema } from './error-schema.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

/** What a caller passes to an endpoint (path, query and body in one flat object) as JSON Schema without references. */
export function inputJsonSchema(spec: EndpointSpec): JsonSchema {
  const shape = { ...spec.params?.shape, ...spec.query?.shape, ...spec.body?.shape }
  return inlined(z.toJSONSchema(z.strictObject(shape), { io: 'input' }), ' In smallest units.')
}

/** The headers that it takes beside those of every request, likewise; undefined: none. */
export function headersJsonSchema(spec: EndpointSpec): JsonSchema | undefined {
  const headers = requestHeaders(spec)
  return headers && inlined(z.toJSONSchema(headers, { io: 'input' }))
}

/** The name of a request as an input of its own, for callers without headers; undefined: it takes none. */
export const repeatJsonSchema = (spec: EndpointSpec): JsonSchema | undefined =>
  spec.isRepeatable ? inlined(z.toJSONSchema(IdempotencyKey, { io: 'input' })) : undefined

/**
 * What the endpoint answers, as JSON Schema without references. Answers may gain fields, so objects stay open. Bounds
 * and patterns are left out, because the reader of an answer does not choose its values.
 */
export function replyJsonSchema(
  spec: EndpointSpec,
  parts: 'described' | 'names and types' = 'described',
): JsonSchema {
  const leftOut = parts === 'described' ? BOUNDS : [...BOUNDS, 'description']
  return withoutKeywords(inlined(z.toJSONSchema(replyInPart(spec), { io: 'output' })), leftOut)
}

/** What the endpoint answers, in which each figure says by `figure` what it is. */
export const figuresOf = ({ reply }: EndpointSpec): JsonSchema =>
  inlined(
    z.toJSONSchema(reply, {
      io: 'output',
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, FIGURES.get(zodSchema)),
    }),
  )

/** What it answers when somebody must approve first, likewise; undefined where nobody has to. */
export const waitingJsonSchema = ({ waiting }: EndpointSpec): JsonSchema | undefined =>
  waiting && withoutKeywords(inlined(z.toJSONSchema(waiting, { io: 'output' })), BOUNDS)

/** The body of every error, likewise. */
export const errorJsonSchema = (): JsonSchema => inlined(z.toJSONSchema(ErrorSchema, { io: 'output' }))

/**
 * Replaces every `$ref` by what it refers to: many readers of tool schemas resolve none. No schema is recursive. Amounts
 * with a description of their own lose the one that names their unit: `unit` is added to theirs.
 */
export function inlined(schema: JsonSchema, unit = ''): JsonSchema {
  const definitions = toObject(schema['$defs'])
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (!isObject(value)) return value
    const { $ref, ...own } = value
    const target = typeof $ref === 'string' ? toObject(definitions[$ref.replace('#/$defs/', '')]) : {}
    const { description } = own
    const isAmount = $ref === '#/$defs/Amount' && typeof description === 'string'
    return mapValues({ ...target, ...own, ...(isAmount && { description: description + unit }) }, resolve)
  }
  return toObject(resolve(withoutKeys(schema, ['$defs', '$schema'])))
}

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

/** A property may be called like a keyword: its schema is an object, which the value of none of these keywords is. */
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

/** zod writes a schema's name as a string `id`; a property called id is an object, and stays. */
const mapValues = (object: JsonSchema, change: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(
    Object.entries(object)
      .filter(([key, value]) => key !== 'id' || typeof value !== 'string')
      .map(([key, value]) => [key, change(value)]),
  )

const withoutKeys = (object: JsonSchema, keys: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
