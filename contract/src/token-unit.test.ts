import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { Amount, tokenUnit } from './fields.ts'
import { ENDPOINTS } from './index.ts'
import { inlined, inputJsonSchema, type JsonSchema, replyJsonSchema } from './openapi/json-schema.ts'
import type { EndpointName } from './routes.ts'

const { pattern: AMOUNT_PATTERN } = inlined(z.toJSONSchema(Amount))
const AMOUNT_ID = '"$ref":"#/$defs/Amount"'

test('every answer with amounts has their unit: symbol and decimals', () => {
  const silent = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
    const { reply } = ENDPOINTS[name]
    const schema = z.toJSONSchema(reply, { io: 'output' })
    const shape = reply instanceof z.ZodObject ? reply.shape : {}
    const hasUnit = Object.keys(tokenUnit).every((field) => field in shape)
    return JSON.stringify(schema).includes(AMOUNT_ID) && !hasUnit
  })
  assert.deepEqual(silent, [])
})

test('the description of every amount in a request says that it is in smallest units', () => {
  const described = (value: unknown): readonly string[] => {
    if (typeof value !== 'object' || value === null) return []
    const { pattern, description } = value as { readonly pattern?: unknown; readonly description?: unknown }
    return [
      ...(pattern === AMOUNT_PATTERN ? [String(description)] : []),
      ...Object.values(value).flatMap(described),
    ]
  }
  const amounts = Object.values(ENDPOINTS).flatMap((spec) => described(inputJsonSchema(spec)))
  assert(amounts.length > 10)
  assert.deepEqual(
    amounts.filter((description) => !description.includes('smallest units')),
    [],
  )
})

test('the description of an amount in an answer names its unit once', () => {
  const fieldsOf = (schema: unknown): JsonSchema => Object(Object(schema).properties)
  const sayOf = (schema: unknown, name: string): unknown => Object(fieldsOf(schema)[name]).description
  const network = replyJsonSchema(ENDPOINTS.network)
  assert.equal(sayOf(network, 'minStakeAmount'), 'The smallest amount that can be staked. In smallest units.')
  const built = replyJsonSchema(ENDPOINTS.buildStake)
  assert.equal(sayOf(fieldsOf(built)['intent'], 'maxGas'), 'The highest gas budget to sign, in MIST.')
})
