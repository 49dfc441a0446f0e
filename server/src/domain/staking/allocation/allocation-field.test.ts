import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../../test/support/repetitions.ts'
import {
  sampleNetwork,
  seededRandom,
  TOKEN,
  variedValidators,
} from '../../../../test/support/sample-network.ts'
import { scoreValidators } from '../scoring/score.ts'
import { shareRoom } from '../shares/share-room.ts'
import { canReceiveStake, type StakeLimits, shareOf } from '../stake-limits.ts'
import { type StakeOptions, stakeOptionsOf } from '../stake-options.ts'
import { allocator } from './allocation.ts'
import { type Field, type FieldTerms, prepareField } from './allocation-field.ts'

const SHAPES = [{ kind: 'equal-share' }, { kind: 'proportional', capShare: 0.1 }] as const

function marketOf(seed: number): StakeOptions {
  const validators = variedValidators(30, seed).map((one) => ({ ...one, firstEpoch: 92 }))
  const { snapshot, records } = sampleNetwork(validators, { shape: SHAPES[seed % 2] ?? SHAPES[0] })
  return stakeOptionsOf(snapshot, scoreValidators(snapshot, records))
}

/** Small amounts, so that a remaining room is often less than the smallest stake. */
const smallAmount = (part: number): bigint => BigInt(Math.ceil(20 * part * Number(TOKEN)))

/** Random limits and holdings; each kind may be absent. */
function randomTerms({ options }: StakeOptions, seed: number): FieldTerms {
  const random = seededRandom(seed)
  const some = (part: number): readonly string[] =>
    options.map(({ validatorId }) => validatorId).filter(() => random() < part)
  const maybe = <T>(value: T): T | undefined => (random() < 0.5 ? value : undefined)
  const holding = some(maybe(0.3) ?? 0).map((id): [string, bigint] => [id, smallAmount(random())])
  const groups = Array.from({ length: Math.floor(4 * random()) }, (_, at) => ({
    name: `group ${at}`,
    validatorIds: new Set(some(0.2)),
    maxShare: 0.05 + 0.5 * random(),
  }))
  const limits = {
    exclude: new Set(some(maybe(0.2) ?? 0)),
    closed: new Set(some(maybe(0.2) ?? 0)),
    minScore: maybe(40) ?? 0,
    maxShare: maybe(0.3) ?? 1,
    groups,
  }
  const amount = smallAmount(random())
  const total = holding.reduce((sum, [, staked]) => sum + staked, amount)
  const existing = new Map(holding)
  const roomOf = shareRoom(limits, amount, { existing, principals: undefined })
  return { limits, existing, amount, total, kept: 0n, roomOf, mustAdd: undefined, risk: 10 / Number(total) }
}

type Group = NonNullable<StakeLimits['groups']>[number]

function roomOf({ total, existing }: FieldTerms, { validatorIds, maxShare }: Group): bigint {
  const held = [...validatorIds].reduce((sum, id) => sum + (existing.get(id) ?? 0n), 0n)
  return shareOf(total, maxShare) - held
}

/** Oracle: the validators that may be chosen, with every rule checked for each validator separately. */
function openTo(market: StakeOptions, terms: FieldTerms): readonly string[] {
  const { limits, existing, total } = terms
  const full = (limits.groups ?? []).filter((group) => roomOf(terms, group) < market.minStake)
  return market.options
    .filter(canReceiveStake(limits))
    .map(({ validatorId }) => validatorId)
    .filter((id) => !full.some(({ validatorIds }) => validatorIds.has(id)))
    .filter((id) => {
      const held = existing.get(id)
      return held === undefined || shareOf(total, limits.maxShare ?? 1) - held >= market.minStake
    })
    .toSorted()
}

const idsOf = ({ places }: Field): readonly string[] => places.map(({ option }) => option.validatorId)

test('a field has exactly the places that limits, groups and holdings leave open, best first', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000_000), (seed, choice) => {
      const market = marketOf(seed)
      const terms = randomTerms(market, choice)
      const open = openTo(market, terms)
      if (open.length === 0) return assert.throws(() => prepareField(market)(terms))
      const field = prepareField(market)(terms)
      assert.deepEqual(idsOf(field).toSorted(), open)
      assert.deepEqual(
        field.curves,
        field.places.map(({ curve }) => curve),
      )
      for (const { option, held } of field.places) {
        assert.equal(held, terms.existing.get(option.validatorId) ?? 0n)
      }
      const entries = field.curves.map(({ entry }) => entry)
      if (market.pool.shape.kind === 'equal-share') {
        assert.deepEqual(
          entries,
          entries.toSorted((a, b) => b - a),
        )
      }
    }),
    runs(200),
  )
})

test('a group caps the curves of its open members, unless it could hold the whole amount', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_000_000), (seed, choice) => {
      const market = marketOf(seed)
      const terms = randomTerms(market, choice)
      if (openTo(market, terms).length === 0) return
      const { places, groups } = prepareField(market)(terms)
      const expected = (terms.limits.groups ?? []).flatMap((group) => {
        const members = places.filter(({ option }) => group.validatorIds.has(option.validatorId))
        const units = roomOf(terms, group)
        if (members.length === 0 || units >= terms.amount) return []
        return [{ members: new Set(members.map(({ curve }) => curve)), most: Number(units), units }]
      })
      assert.deepEqual(groups, expected)
      for (const [at, { members }] of groups.entries()) {
        for (const curve of expected[at]?.members ?? [])
          assert(members.has(curve), 'the curve of the field itself')
      }
    }),
    runs(200),
  )
})

test('where every validator that may receive stake holds its share already, the refusal names maxShare', () => {
  const market = marketOf(0)
  const ids = market.options.map(({ validatorId }) => validatorId)
  const exclude = new Set(ids.slice(2))
  const existing = new Map(ids.slice(0, 2).map((id): [string, bigint] => [id, 1_000n * TOKEN]))
  const request = { amount: 10n * TOKEN, maxValidators: 5, existing, maxShare: 0.4 }
  for (const limits of [{ exclude }, { closed: exclude }])
    assert.throws(() => allocator(market)({ ...request, ...limits }), {
      code: 'invalid_input',
      message: '`maxShare` is reached with every validator that may receive stake; raise it or leave it out.',
    })
})
