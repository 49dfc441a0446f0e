import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Input, StakewrightError } from '@stakewright/client'
import { HOUR_MS } from '../../src/durations.ts'
import { registerAgent, signIn } from '../support/registered-agent.ts'
import { openTestApp } from '../support/test-app.ts'

type Rules = Input<'writePolicy'>['rules']

const STAKES = { rule: 'actions', allow: ['stake'] } as const
const [A, B, C] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(32)}`) as [string, string, string]

async function openWithAgent() {
  const app = await openTestApp()
  const { id } = await registerAgent(app)
  const ann = app.client({ token: await signIn(app, 'ann@example.com') })
  const refusalOf = async (rules: Rules, revision?: number) => {
    const input = { id, rules: [STAKES, ...rules], ...(revision && { revision }) }
    const error: unknown = await ann.writePolicy(input).catch((reason: unknown) => reason)
    assert(error instanceof StakewrightError, JSON.stringify(rules))
    return error
  }
  return { app, id, ann, refusalOf, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

test('400: rules that contradict each other or have expired are refused with the fields at fault and a fix', async () => {
  await using opened = await openWithAgent()
  const { app, id, ann, refusalOf } = opened
  const past = new Date(app.clock.now() - 1).toISOString()
  const cases: readonly (readonly [Rules, fields: readonly string[], fix: RegExp])[] = [
    [[{ rule: 'validators', allow: [A, B], deny: [C, B] }], ['rules[1].deny[1]'], /one of the two lists/],
    // The same id, written in another way.
    [[{ rule: 'validators', allow: ['0xA'], deny: ['0x0a'] }], ['rules[1].deny[0]'], /one of the two lists/],
    [[{ rule: 'expires', at: past }], ['rules[1].at'], /`paused`/],
    [
      [
        { rule: 'recipients', allow: [A] },
        { rule: 'senders', allow: [B, C] },
      ],
      ['rules[1].allow'],
      /in both rules/,
    ],
    [
      [
        { rule: 'validators', allow: [A, B], deny: [A, B] },
        { rule: 'expires', at: past },
      ],
      ['rules[1].deny[0]', 'rules[1].deny[1]', 'rules[2].at'],
      /^Correct/,
    ],
  ]
  for (const [rules, fields, fix] of cases) {
    const { status, code, details, fix: actualFix } = await refusalOf(rules)
    assert.deepEqual([status, code], [400, 'invalid_input'])
    assert.deepEqual(
      details.map(({ field }) => field),
      fields,
    )
    assert.match(actualFix ?? '', fix)
  }
  assert.equal((await ann.readPolicy({ id })).data, null, 'nothing was written')
})

test('200: unusual rules that do not contradict each other are accepted, also ids that no validator has yet', async () => {
  await using opened = await openWithAgent()
  const { app, id, ann } = opened
  const rules: Rules = [
    STAKES,
    { rule: 'validators', allow: [A], deny: [B] },
    // Only one validator is allowed, but stake that is already with others counts as well.
    { rule: 'minValidators', validators: 3 },
    { rule: 'maxShare', share: 0.3 },
    { rule: 'senders', allow: [A, B] },
    { rule: 'recipients', allow: [B, C] },
    { rule: 'expires', at: new Date(app.clock.now() + 1).toISOString() },
  ]
  assert.equal((await ann.writePolicy({ id, rules })).data?.revision, 1)
})

test('200: an expired policy can be rewritten with its past `expires` unchanged; another past time is 400', async () => {
  await using opened = await openWithAgent()
  const { app, id, ann, refusalOf } = opened
  const expires = { rule: 'expires', at: new Date(app.clock.now() + HOUR_MS).toISOString() } as const
  await ann.writePolicy({ id, rules: [STAKES, expires] })
  app.clock.advance(2 * HOUR_MS)
  const paused = await ann.writePolicy({ id, rules: [{ rule: 'paused' }, STAKES, expires], revision: 1 })
  assert.equal(paused.data?.revision, 2)
  const earlier = new Date(app.clock.now() - HOUR_MS / 2).toISOString()
  const { status } = await refusalOf([{ rule: 'expires', at: earlier }], 2)
  assert.equal(status, 400)
  // A past time that was removed cannot be set again.
  await ann.writePolicy({ id, rules: [STAKES], revision: 2 })
  assert.equal((await refusalOf([expires], 3)).status, 400)
})
