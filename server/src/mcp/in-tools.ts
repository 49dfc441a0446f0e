import { endpointAt, isTool, toolName } from '@stakewright/contract'
import type { JsonSchema } from '@stakewright/contract/json-schema'
import { toErrorBody } from '#api/error-body.ts'
import { readyCall } from '#api/input/next-call.ts'
import type { Fault, NextCall } from '../fault.ts'
import { TOOL_WORDS } from './tool-words.ts'

/** Rewrites calls in answers and errors from method, path and body to tools and arguments. */

/** Replaces each call of a tool's endpoint by `{ tool, arguments }`. Other calls stay. */
export function callsAsTools(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(callsAsTools)
  return isObject(value) ? inTools(value, callsAsTools) : value
}

/** An error in terms of tools, without the HTTP status. */
export function errorInTools(fault: Fault, requestId: string, words = TOOL_WORDS) {
  const { next: _next, status: _status, ...body } = toErrorBody(fault, requestId, words)
  const next = fault.next && toolCall(fault.next)
  return { ...body, ...(next && { next }) }
}

/** Undefined if the call is no tool, because an MCP client cannot make it. */
function toolCall(next: NextCall) {
  const ready = readyCall(next)
  if (!ready || !isTool(ready.endpoint)) return undefined
  const { endpoint, given, needs, needsOneOf } = ready
  return {
    tool: toolName(endpoint),
    ...(Object.keys(given).length > 0 && { arguments: given }),
    ...(needs.length > 0 && { needs }),
    ...(needsOneOf.length > 0 && { needsOneOf }),
  }
}

function inTools(object: Json, inner: (value: unknown) => unknown): Json {
  const { method, path } = object
  const endpoint = typeof method === 'string' && typeof path === 'string' && endpointAt(method, path)
  const isCall = endpoint && isTool(endpoint)
  return replaced(object, (key, value) => {
    if (!isCall || !CALL.has(key)) return [key, inner(value)]
    return key === 'path' ? ['tool', toolName(endpoint)] : key === 'body' ? ['arguments', value] : undefined
  })
}

/** The same for the schema of a value. */
export function schemaInTools(schema: JsonSchema): JsonSchema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner)
    return isObject(value) ? schemaInTools(value) : value
  }
  const { properties } = schema
  const isCall = isObject(properties) && [...CALL].every((name) => name in properties)
  return replaced(schema, (keyword, value) => {
    if (isCall && keyword === 'properties')
      return [keyword, replaced(properties, (name, value) => toolProperty(name, inner(value)))]
    if (isCall && keyword === 'required') return [keyword, listOf(value).flatMap(toolNames)]
    return [keyword, inner(value)]
  })
}

const toolNames = (name: unknown): readonly unknown[] =>
  name === 'method' ? [] : [name === 'path' ? 'tool' : name === 'body' ? 'arguments' : name]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const toolProperty: Replacement = (name, schema) => {
  if (name === 'method') return undefined
  if (name === 'path') return ['tool', { type: 'string', description: 'The tool to call.' }]
  return [name === 'body' ? 'arguments' : name, schema]
}

const CALL: ReadonlySet<string> = new Set(['method', 'path', 'body'])

type Json = { readonly [key: string]: unknown }
type Replacement = (key: string, value: unknown) => readonly [key: string, value: unknown] | undefined

const replaced = (object: Json, replacement: Replacement): Json =>
  Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) => {
      const entry = replacement(key, value)
      return entry ? [entry] : []
    }),
  )

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
