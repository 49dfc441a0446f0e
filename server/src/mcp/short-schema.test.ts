import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { inputJsonSchema, type JsonSchema, replyJsonSchema } from '@stakewright/contract/json-schema'
import { countTokens } from 'gpt-tokenizer'
import { describeOnce, shortInput, shortOutput } from './short-schema.ts'
import { toolTable } from './tool-table.ts'

const NAMES = Object.keys(ENDPOINTS) as EndpointName[]

test('short schemas keep all inputs, which of them are required, and all fields of the answer', () => {
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

test('a field with the name of a schema keyword is kept', () => {
  const properties = { required: { type: 'boolean' }, pattern: { type: 'string', pattern: '^a$' } }
  assert.deepEqual(shortOutput({ type: 'object', properties }), { type: 'object', properties })
  assert.deepEqual(shortInput({ type: 'object', properties }), {
    type: 'object',
    properties: { required: { type: 'boolean' }, pattern: { type: 'string' } },
  })
})

test('the fields of an object are described once in a list of tools; later tools refer to the first one', () => {
  const described = new Map<string, string>()
  const named = (...names: string[]) =>
    Object.fromEntries(names.map((name) => [`${name}OfTheAnswer`, { type: 'string' }]))
  const fields = { type: 'object', properties: named('first', 'second', 'third', 'fourth') }
  const few = { type: 'object', properties: named('only') }
  const schema = { type: 'object', properties: { fields, few, list: { type: 'array', items: fields } } }
  assert.deepEqual(describeOnce(schema, 'one', described), {
    ...schema,
    properties: {
      fields,
      few,
      list: { type: 'array', items: { type: 'object', description: 'As fields of one.' } },
    },
  })
  const other = { type: 'object', properties: { renamed: fields, few } }
  assert.deepEqual(describeOnce(other, 'two', described), {
    type: 'object',
    properties: { renamed: { type: 'object', description: 'As fields of one.' }, few },
  })
})

test('the description of a field is given once in a list of tools', () => {
  const described = new Map<string, string>()
  const schema = { type: 'object', properties: { fix: { type: 'string', description: 'What to do.' } } }
  assert.deepEqual(describeOnce(schema, 'one', described), schema)
  assert.deepEqual(describeOnce(schema, 'two', described), {
    type: 'object',
    properties: { fix: { type: 'string' } },
  })
})

test('every reference of a tool points to a field of an earlier tool', () => {
  const outputs = new Map<string, JsonSchema>()
  for (const { description } of toolTable(NAMES, { isSandbox: true }).values()) {
    const text = JSON.stringify(description.outputSchema)
    for (const [, field = '', tool = ''] of text.matchAll(/"As (\w+) of (\w+)\."/g))
      assert(field in Object(outputs.get(tool)?.['properties']), `${description.name}: ${field} of ${tool}`)
    outputs.set(description.name, description.outputSchema)
  }
})

test('exactly the tools whose answers may be shortened have the argument `detail`', () => {
  const tools = toolTable(NAMES, { isSandbox: true })
  const takesDetail = (name: string) =>
    'detail' in Object(tools.get(name)?.description.inputSchema['properties'])
  for (const name of ['validators', 'allocate', 'plan_rebalance', 'build_stake', 'own_policy', 'accuracy'])
    assert(takesDetail(name), name)
  for (const name of ['epoch', 'self_register', 'price']) assert(!takesDetail(name), name)
})

test('a tool costs a model at most 420 tokens on average', () => {
  const tools = [...toolTable(NAMES, { isSandbox: true }).values()].map(({ description }) => description)
  const tokens = countTokens(JSON.stringify(tools))
  assert(tokens <= 420 * tools.length, `${tokens} tokens for ${tools.length} tools`)
})

test('a union that a caller writes has the fields of all alternatives; a value that is only passed on has its type alone', () => {
  const tools = toolTable(NAMES, { isSandbox: true })
  const itemsOf = (name: string, list: string) => {
    const properties = Object(tools.get(name)?.description.inputSchema['properties'])
    return Object(properties[list]).items
  }
  const { action, ...fields } = itemsOf('build_batch', 'items').properties
  assert.deepEqual(action.enum, ['stake', 'unstake', 'withdraw', 'join'])
  assert.deepEqual(Object.keys(fields), ['validatorId', 'amount', 'stakedTokenId', 'stakedTokenIds'])
  assert.equal(itemsOf('sandbox_execute', 'commands').properties, undefined)
  const { intent } = Object(tools.get('sandbox_execute')?.description.inputSchema['properties'])
  assert.deepEqual([intent.type, intent.properties], ['object', undefined])
})
