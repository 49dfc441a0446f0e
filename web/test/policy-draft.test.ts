import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS } from '@stakewright/contract'
import { ACTIONS, DAYS, MOVING_ACTIONS, WINDOWS } from '@stakewright/contract/rule-values'
import fc from 'fast-check'
import { isSamePolicy, ruleChanges } from '../src/data/policy/changes.ts'
import { toDraft } from '../src/data/policy/draft.ts'
import { readDraft } from '../src/data/policy/read-draft.ts'
import {
  type Policy,
  type PolicyDocument,
  type PolicyRule,
  paused,
  resumed,
} from '../src/data/policy/rules.ts'

const idOf = (digit: string): string => `0x${digit.repeat(64)}`
const FOUR = ['1', '2', '3', '4'].map(idOf)
/** The second and third share a name, and the fourth has the id of the first as its name. */
const VALIDATORS = ['Mossy Ridge', 'Fern Dune', 'fern dune', idOf('1')].map((name, index) => ({
  id: FOUR[index] ?? '',
  name,
}))
const NOW = Date.parse('2026-12-31T00:00:00Z')
const KNOWN = { decimals: 9, symbol: 'SBX', validators: VALIDATORS }

const some = <T>(items: readonly T[]) => fc.subarray([...items], { minLength: 1 })
const amounts = fc.bigInt({ min: 0n, max: 10n ** 18n }).map(String)
const counted = { amount: amounts, actions: some(MOVING_ACTIONS) }
const hundredths = (least: number, most: number) =>
  fc.integer({ min: least * 100, max: most * 100 }).map((value) => value / 100)
const named = <const Name extends PolicyRule['rule']>(rule: Name) => fc.constant(rule)
const ids = some([...FOUR, idOf('a')])

/** Generates sets of rules: each rule is present or absent. */
const rules = fc
  .tuple(
    fc.option(fc.record({ rule: named('actions'), allow: some(ACTIONS) })),
    fc.option(fc.record({ rule: named('networks'), allow: some(['sandbox', 'sui'] as const) })),
    fc.option(
      fc
        .record({ rule: named('validators'), allow: ids, deny: ids }, { requiredKeys: ['rule', 'deny'] })
        .filter(({ allow = [], deny }) => !deny.some((id) => allow.includes(id))),
    ),
    fc.option(fc.record({ rule: named('maxPerTx'), ...counted })),
    ...WINDOWS.map((window) =>
      fc.option(fc.record({ rule: named('maxPerWindow'), window: fc.constant(window), ...counted })),
    ),
    fc.option(fc.record({ rule: named('approvalAbove'), ...counted })),
    fc.option(
      fc.record({
        rule: named('maxShare'),
        share: fc.integer({ min: 1, max: 10_000 }).map((value) => value / 10_000),
      }),
    ),
    fc.option(fc.record({ rule: named('minScore'), score: hundredths(0, 100) })),
    fc.option(fc.record({ rule: named('maxCommission'), commission: fc.constantFrom(0, 0.07, 0.333, 1) })),
    fc.option(fc.record({ rule: named('minValidators'), validators: fc.integer({ min: 1, max: 50 }) })),
    fc.option(
      fc
        .record({
          rule: named('hours'),
          days: some(DAYS),
          from: fc.integer({ min: 0, max: 22 }),
          isOvernight: fc.boolean(),
        })
        .map(({ isOvernight, ...rule }) => ({
          ...rule,
          to: isOvernight && rule.from > 1 ? rule.from - 1 : rule.from + 1,
        })),
    ),
    fc.option(fc.record({ rule: named('senders'), allow: ids })),
    fc.option(fc.record({ rule: named('recipients'), allow: ids })),
    fc.option(fc.record({ rule: named('paused') })),
    fc.option(
      fc.record({
        rule: named('expires'),
        at: fc.constantFrom('2027-01-01T00:00:00Z', '2027-06-30T23:59:00.000Z'),
      }),
    ),
  )
  .map((found) => found.filter((rule) => rule !== null))

const policies = fc.record({ rules, loosenAfterSeconds: fc.constantFrom(0, 3_600, 12_345) })

/** The document after validation by the service. */
const accepted = (document: unknown): PolicyDocument => {
  const { rules: taken, loosenAfterSeconds } = ENDPOINTS.writePolicy.body.parse(document)
  return { rules: taken, loosenAfterSeconds }
}

test('a policy is unchanged after a round trip through the form, and the service accepts it', () => {
  fc.assert(
    fc.property(policies, (made) => {
      const policy = accepted(made)
      const read = readDraft(toDraft(policy, KNOWN), KNOWN, NOW)
      assert(read.kind === 'ok', JSON.stringify(read))
      assert(isSamePolicy(policy, accepted(read.document)), JSON.stringify([policy, read.document]))
    }),
  )
})

test('lists or fields of a policy in another order are no change, and the form shows the same', () => {
  const turned = (rule: object) =>
    Object.fromEntries(
      Object.entries(rule).map(([name, value]) => [name, Array.isArray(value) ? value.toReversed() : value]),
    )
  /** The cast holds because the rule has the same fields. `accepted` would put them in its own order. */
  const withFieldsTurned = (rule: PolicyRule) =>
    Object.fromEntries(Object.entries(rule).toReversed()) as PolicyRule
  fc.assert(
    fc.property(policies, (made) => {
      const policy = accepted(made)
      const other = accepted({ ...policy, rules: policy.rules.map(turned) })
      assert.deepEqual(ruleChanges(policy.rules, other.rules), [])
      assert.deepEqual(ruleChanges(policy.rules, other.rules.map(withFieldsTurned)), [])
      for (const name of ['actions', 'networks', 'days'] as const)
        assert.deepEqual(toDraft(other, KNOWN)[name], toDraft(policy, KNOWN)[name])
    }),
  )
})

test('without a policy the form starts with one that allows every action', () => {
  const read = readDraft(toDraft(null, KNOWN), KNOWN, NOW)
  assert.deepEqual(read, {
    kind: 'ok',
    notes: {},
    document: { rules: [{ rule: 'actions', allow: [...ACTIONS] }], loosenAfterSeconds: 0 },
  })
})

test('unreadable fields are reported by name, and no policy is made', () => {
  const draft = {
    ...toDraft(null, KNOWN),
    allow: 'Nobody',
    deny: 'Fern Dune',
    maxPerTx: 'much',
    maxShare: '101',
    minValidators: '2.5',
    days: [],
    from: '9',
    to: '9',
    senders: 'me',
    expires: 'soon',
  }
  const read = readDraft(draft, KNOWN, NOW)
  assert(read.kind === 'problems')
  const fields = [
    'allow',
    'days',
    'deny',
    'expires',
    'maxPerTx',
    'maxShare',
    'minValidators',
    'senders',
    'to',
  ]
  assert.deepEqual(Object.keys(read.problems).toSorted(), fields)
  assert.match(String(read.problems.deny), /Several validators/)
})

test('a limit whose text means another amount elsewhere, or has a scale word, is noted at its field', () => {
  const start = toDraft(null, KNOWN)
  const windows = { ...start.windows, day: '25,000', hour: '7' }
  const read = readDraft({ ...start, maxPerTx: '25.000', approvalAbove: '10k', windows }, KNOWN, NOW)
  assert.deepEqual(read.notes, {
    maxPerTx: 'Read as 25 SBX: “.” is the decimal sign here.',
    approvalAbove: 'Read as 10,000 SBX.',
    day: 'Read as 25,000 SBX: “.” is the decimal sign here.',
  })
})

test('a validator both allowed and denied, and an end in the past, are problems of their fields', () => {
  const start = toDraft(null, KNOWN)
  const read = (part: object) => readDraft({ ...start, ...part }, KNOWN, NOW)
  const problemsOf = (part: object) => {
    const found = read(part)
    return found.kind === 'problems' ? found.problems : {}
  }
  const both = { allow: `Mossy Ridge\n${idOf('a')}`, deny: idOf('1').toUpperCase().replace('X', 'x') }
  assert.deepEqual(problemsOf(both), {
    deny: '“Mossy Ridge” is in “Only these”, too. Take it out of one of them.',
  })
  assert.deepEqual(Object.keys(problemsOf({ ...both, deny: idOf('a') })), ['deny'])
  assert.equal(read({ ...both, deny: idOf('b') }).kind, 'ok')
  assert.deepEqual(Object.keys(problemsOf({ expires: '2026-12-31T00:00' })), ['expires'])
  assert.equal(read({ expires: '2026-12-31T00:01' }).kind, 'ok')
})

test('pausing adds only the pause, and resuming restores exactly the former policy', () => {
  fc.assert(
    fc.property(policies, (made) => {
      const whole = accepted(made)
      const rest = whole.rules.filter(({ rule }) => rule !== 'paused')
      const policy = toPolicy({ ...whole, rules: rest })
      const stopped = toPolicy(accepted(paused(policy)))
      assert.deepEqual(ruleChanges(policy.rules, stopped.rules), [
        { kind: 'added', after: { rule: 'paused' } },
      ])
      assert(isSamePolicy(resumed(stopped), policy))
    }),
  )
  const [first] = resumed(toPolicy(paused(null))).rules
  assert.deepEqual(first, { rule: 'actions', allow: [...ACTIONS] })
})

/** A policy with the fields that the service adds. */
const toPolicy = (document: PolicyDocument): Policy => ({
  ...document,
  revision: 1,
  hash: '',
  changedAt: '2026-01-01T00:00:00Z',
  changedBy: { id: 'ann', role: 'user' },
  beside: [],
})
