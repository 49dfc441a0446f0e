import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Input } from '@stakewright/client'
import { LIMITS } from '@stakewright/contract/limits'
import { MINUTE_MS } from '../../../src/durations.ts'
import { TEN } from '../../support/holdings.ts'
import { refusalOf } from '../refused.ts'
import { ABOVE_FIVE, ALL, approvalOf, openWithApprovals } from './with-approvals.ts'

const AMOUNT = '900000000000000'

test('400: a refusal tells limits of the policy from those of the caller', async () => {
  await using opened = await openWithApprovals()
  const { agent, ann, key, other } = opened
  let revision = 1
  const strict = [
    { rule: 'minScore', score: 100 },
    { rule: 'maxShare', share: 0.01 },
    { rule: 'validators', allow: [`0x${'e'.repeat(64)}`] },
  ] as const
  for (const rule of strict) {
    await ann.writePolicy({ id: agent.id, rules: [ALL, rule], revision })
    revision += 1
    const { code, message, fix, details, next } = await refusalOf(key.allocate({ amount: AMOUNT }))
    assert.equal(code, 'invalid_input', message)
    assert.match(message, new RegExp(`^${rule.rule} is set by the policy of this agent`))
    assert.match(fix ?? '', /owner of the agent/)
    assert.equal(details[0]?.field, rule.rule)
    assert.equal(next?.path, '/api/v1/staking/agent/policy')
  }
  await ann.writePolicy({ id: agent.id, rules: [ALL, { rule: 'validators', deny: [other] }], revision })
  const own = await refusalOf(key.allocate({ amount: AMOUNT, minScore: 100 }))
  assert.match(own.message, /^`minScore` leaves no validator to stake with; lower it/)
  const spread = [
    { rule: 'maxShare', share: 0.34 },
    { rule: 'maxPerTx', amount: '500000000000' },
  ] as const
  await ann.writePolicy({ id: agent.id, rules: [ALL, ...spread], revision: revision + 1 })
  const ask = (amount: string, maxValidators: number) => key.allocate({ amount, maxValidators })
  assert.match(
    (await refusalOf(ask(AMOUNT, 2))).message,
    /^`maxValidators` must be at least 3, because maxShare \(0\.34\) of the policy of this agent/,
  )
  assert.match(
    (await refusalOf(ask(AMOUNT, 3))).message,
    /^`amount` must be at most 500000000000 smallest units,/,
  )
  assert.equal((await ask('500000000000', 3)).allocations.length, 3)
})

test('400: under a policy the advice names only what helps: a value that the caller can send, or the rule to change', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key } = opened
  const bestOf = async (exclude: string[]) =>
    (await key.allocate({ amount: AMOUNT, maxValidators: 1, exclude })).allocations[0]?.validatorId ?? ''
  const one = await bestOf([])
  const two = await bestOf([one])
  let revision = 1
  const under = async (rules: Input<'writePolicy'>['rules']) => {
    await ann.writePolicy({ id: agent.id, rules: [ALL, ...rules], revision })
    revision += 1
    app.clock.advance(MINUTE_MS)
    await app.runJob('watch-network')
  }
  const ask = (input: Input<'allocate'>) => refusalOf(key.allocate(input))
  const owners = (rules: string) => `Ask the owner of the agent to change ${rules}.`

  await under([{ rule: 'minScore', score: 100 }])
  assert.equal((await ask({ amount: AMOUNT })).fix, owners('minScore in its policy'))

  const half = { rule: 'maxShare', share: 0.5 } as const
  await under([half, { rule: 'validators', allow: [one] }])
  const alone = await ask({ amount: AMOUNT })
  assert.match(alone.message, /1 validator at most, so it must be at least 1\. Ask/)
  assert.equal(alone.fix, owners('maxShare in its policy, or to allow more validators'))
  await under([half, { rule: 'validators', allow: [one, two] }])
  assert.equal((await key.allocate({ amount: AMOUNT })).allocations.length, 2)

  const third = { rule: 'maxShare', share: 0.3 } as const
  const perTx = (amount: string) => ({ rule: 'maxPerTx', amount }) as const
  await under([third, perTx('1500000000')])
  for (const amount of ['1000000000', '1500000000', AMOUNT])
    assert.equal(
      (await ask({ amount, maxValidators: 50 })).fix,
      owners('maxShare in its policy, or maxPerTx, which must be at least 4000000000'),
      amount,
    )
  await under([third, perTx('4000000000')])
  const small = await ask({ amount: '1500000000', maxValidators: 4 })
  assert.match(
    small.message,
    /^`amount` must be at least 4000000000, because maxShare \(0\.3\) of the policy/,
  )
  const both = await ask({ amount: '1500000000', maxValidators: 2 })
  assert.deepEqual(new Set(both.details.map(({ field }) => field)), new Set(['amount', 'maxValidators']))
  assert.equal((await key.allocate({ amount: '4000000000', maxValidators: 4 })).allocations.length, 4)
})

test('403: the refusal to a key that may only build suggests no call that it may not make', async () => {
  await using opened = await openWithApprovals([{ rule: 'maxPerTx', amount: '1' }])
  const { app, agent, ann, wish, stake } = opened
  assert.equal((await refusalOf(stake())).next?.path, '/api/v1/staking/agent/policy')
  const { data } = await ann.createKey({ id: agent.id, name: 'builder', scopes: ['build'] })
  const refused = await refusalOf(app.client({ apiKey: data.apiKey }).buildStake(wish))
  assert.equal(refused.next, undefined)
  assert.equal(refused.details[0]?.rule, 'maxPerTx')
})

test('400: a policy without its revision is refused with every way to give it', async () => {
  await using opened = await openWithApprovals()
  const { agent, ann } = opened
  const { message, fix, next } = await refusalOf(ann.writePolicy({ id: agent.id, rules: [ALL] }))
  assert.match(message, /^`revision`, or the header If-Match, is required/)
  assert.match(fix ?? '', /as `revision` or as the header If-Match/)
  assert.equal(next?.path, `/api/v1/agents/${agent.id}/policy`)
  const late = await refusalOf(ann.writePolicy({ id: agent.id, rules: [ALL], revision: 7 }))
  assert.match(late.fix ?? '', /Read the policy again/)
})

test('403: with too many waiting approvals the advice is to have them decided', async () => {
  await using opened = await openWithApprovals()
  const { app, agent, ann, key, wish } = opened
  await ann.writePolicy({ id: agent.id, rules: [ALL, ABOVE_FIVE], revision: 1 })
  const ask = (more: number) => key.buildStake({ ...wish, amount: String(BigInt(TEN) + BigInt(more)) })
  for (let count = 0; count < LIMITS.approvalsWaiting; count += 1) {
    app.clock.advance(MINUTE_MS / 5)
    await app.runJob('watch-network')
    await approvalOf(ask(count))
  }
  const { message, fix } = await refusalOf(ask(LIMITS.approvalsWaiting))
  assert.match(message, /wait for approval already/)
  assert.match(fix ?? '', /^Ask the owner of the agent to decide them/)
})
