import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointSpec } from '@stakewright/contract'
import { inputJsonSchema, type JsonSchema } from '@stakewright/contract/json-schema'
import { Fault } from '../../fault.ts'
import { checkInput } from './check-input.ts'

function refusedBy(row: EndpointSpec, values: object): Fault {
  try {
    checkInput(row)({ kind: 'arguments', values })
  } catch (error) {
    assert(error instanceof Fault)
    return error
  }
  return assert.fail('it was accepted')
}

/** The inputs of an endpoint that are enums. */
function choicesOf(row: EndpointSpec): readonly (readonly [field: string, words: readonly string[]])[] {
  const { properties = {} } = inputJsonSchema(row) as { properties?: Record<string, JsonSchema> }
  return Object.entries(properties).flatMap(([field, { enum: words }]) =>
    Array.isArray(words) ? [[field, words.map(String)] as const] : [],
  )
}

test('a misspelled value of any enum: the fix suggests the nearest value', () => {
  const rows: Readonly<Record<string, EndpointSpec>> = ENDPOINTS
  let tried = 0
  for (const [name, row] of Object.entries(rows)) {
    for (const [field, words] of choicesOf(row)) {
      const [word = ''] = words.toSorted((a, b) => b.length - a.length)
      if (word.length < 3) continue
      const { fix = '' } = refusedBy(row, { [field]: `${word}q` })
      assert(fix.includes(`Send "${word}" as \`${field}\`, if that is what you mean.`), `${name}: ${fix}`)
      tried += 1
    }
  }
  assert(tried > 10, `${tried} choices`)
})

test('a misspelled rule, action or field name: the fix suggests the nearest one, or none if several are near', () => {
  const policy = (rule: string) => refusedBy(ENDPOINTS.writePolicy, { id: 'x', rules: [{ rule }] })
  assert.equal(policy('maxPerTxx').fix, 'Send "maxPerTx" as `rules[0].rule`, if that is what you mean.')
  assert.match(policy('approveAbove').fix ?? '', /^Send "approvalAbove" as `rules\[0\]\.rule`, if/)
  assert.match(policy('zzz').message, /`rules\[0\]\.rule` must be one of actions, networks, /)
  const batch = refusedBy(ENDPOINTS.buildBatch, { items: [{ action: 'stak' }] })
  assert.equal(batch.fix, 'Send "stake" as `items[0].action`, if that is what you mean.')
  for (const unclear of ['restake', 'ustake', 'stke or so'])
    assert.doesNotMatch(refusedBy(ENDPOINTS.buildBatch, { items: [{ action: unclear }] }).fix ?? '', /mean/)
  const fields = refusedBy(ENDPOINTS.validators, { fields: 'id,scor' })
  assert.match(fields.message, /name 2 may mean "score"/)
})

test('the fix for a number in a URL asks for plain digits, in JSON for a number without quotes', () => {
  const list = checkInput(ENDPOINTS.validators)
  for (const limit of [' 1', '1.0', '1 ']) {
    assert.throws(
      () =>
        list({
          kind: 'request',
          params: {},
          query: () => ({ limit }),
          hasBody: false,
          body: () => undefined,
        }),
      {
        fix: 'Write `limit` in plain digits, and nothing else: a + is a space in a URL.',
      },
    )
  }
  assert.match(refusedBy(ENDPOINTS.validators, { limit: '1' }).fix ?? '', /without quotes/)
})

test('a missing field is reported as required, not as wrong', () => {
  const id = `0x${'ab'.repeat(32)}`
  const item = refusedBy(ENDPOINTS.buildBatch, { items: [{ validatorId: id, amount: '5' }] })
  assert.equal(item.fix, 'Add `items[0].action`.')
  assert.match(item.message, /`items\[0\]\.action` is required; it must be one of stake, unstake/)
  const parts = refusedBy(ENDPOINTS.buildBatch, { allocations: [{ validatorId: id, amount: '5' }], zz: 1 })
  assert.equal(parts.fix, 'Use `items` instead of `allocations`. Leave out `zz`.')
  assert.equal(refusedBy(ENDPOINTS.planRebalance, {}).fix, 'Give `positions`, or `owner` instead; not both.')
})
