import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { inputJsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'
import { countTokens } from 'gpt-tokenizer'
import { shortInput, shortOutput } from './short-schema.ts'
import { toolTable } from './tool-table.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

test('short schemas name every input, what is required, and every field of an answer', () => {
  for (const name of NAMES) {
    const whole = inputJsonSchema(ENDPOINTS[name])
    const short = shortInput(whole)
    assert.deepEqual(Object.keys(short['properties'] ?? {}), Object.keys(whole['properties'] ?? {}), name)
    assert.deepEqual(short['required'], whole['required'], name)
    const reply = replyJsonSchema(ENDPOINTS[name])
    assert.deepEqual(
      Object.keys(shortOutput(reply)['properties'] ?? {}),
      Object.keys(reply['properties'] ?? {}),
      name,
    )
  }
})

test('inputs keep their descriptions', () => {
  const { properties } = shortInput(inputJsonSchema(ENDPOINTS.planRebalance))
  for (const [name, field] of Object.entries(properties ?? {})) assert(field.description, name)
})

test('a field that is called like a keyword stays', () => {
  const properties = { required: { type: 'boolean' }, pattern: { type: 'string', pattern: '^a$' } }
  assert.deepEqual(shortOutput({ type: 'object', properties }), { type: 'object', properties })
  assert.deepEqual(shortInput({ type: 'object', properties }), {
    type: 'object',
    properties: { required: { type: 'boolean' }, pattern: { type: 'string' } },
  })
})

test('a tool costs a model at most 500 tokens on average', () => {
  const tools = [...toolTable(NAMES, { isSandbox: true }).values()].map(({ description }) => description)
  const tokens = countTokens(JSON.stringify(tools))
  assert(tokens <= 500 * tools.length, `${tokens} tokens for ${tools.length} tools`)
})
