import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { anyText } from '../../test/any-text.ts'
import { ChainId, ChainIdInput, ShownId } from './chain-id.ts'
import type { EndpointSpec } from './endpoint.ts'
import { ENDPOINTS } from './index.ts'

type Schema = { readonly [key: string]: unknown }

const patternOf = (schema: z.ZodType): unknown => z.toJSONSchema(schema, { io: 'input' })['pattern']

const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEF'), minLength: 1, maxLength: 64 })

test('every spelling of an id becomes its one canonical form', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom('0x', '0X'), (text, prefix) => {
      const id = ChainIdInput.parse(prefix + text)
      assert.equal(ChainId.parse(id), id)
      assert.equal(BigInt(id), BigInt(`0x${text}`))
      assert.equal(ChainIdInput.parse(id), id)
    }),
  )
})

test('a text or value that is no id is refused', () => {
  const others = anyText().filter((text) => !/^0[xX][0-9a-fA-F]{1,64}$/.test(text))
  fc.assert(fc.property(others, (text) => !ChainIdInput.safeParse(text).success))
  fc.assert(
    fc.property(
      fc.anything(),
      (value) => typeof value === 'string' || !ChainIdInput.safeParse(value).success,
    ),
  )
})

test('no endpoint takes a chain id that it does not normalise', () => {
  const rows: Record<string, EndpointSpec> = ENDPOINTS
  const inputs = Object.entries(rows).flatMap(([name, { params, query, body }]) =>
    [params, query, body].flatMap((part) =>
      part ? propertiesIn(z.toJSONSchema(part, { io: 'input' }), name) : [],
    ),
  )
  const strict = inputs.filter(([, schema]) => schema['pattern'] === patternOf(ChainId))
  assert.deepEqual(strict, [], 'these take the canonical form only')
  const ids = inputs.filter(([path]) =>
    /\.(?:validatorId|stakedTokenId|objectId|owner|sender|walletAddress)$/.test(path),
  )
  assert(ids.length > 10, 'the fields are found')
  assert.deepEqual(
    ids.flatMap(([path, schema]) => (schema['pattern'] === patternOf(ChainIdInput) ? [] : [path])),
    ['sandboxExecute.intent.sender', 'sandboxExecute.intent.expectedEffects.stakedTokenId'],
    'all but these, which may be abbreviated',
  )
  assert.equal(ShownId.parse('0XaB'), ChainIdInput.parse('0xab'))
  assert.equal(ShownId.parse('0xabababab…'), '0xabababab…')
})

/** Every property of a schema at any depth, with the names that lead to it. */
function propertiesIn(value: unknown, path: string): readonly (readonly [path: string, schema: Schema])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key !== 'properties') return propertiesIn(inner, path)
    return Object.entries(inner as Record<string, Schema>).flatMap(([name, schema]) => [
      [`${path}.${name}`, schema] as const,
      ...propertiesIn(schema, `${path}.${name}`),
    ])
  })
}
