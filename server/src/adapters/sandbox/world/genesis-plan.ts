import type { Chance } from './chance.ts'
import { validatorNames } from './validator-names.ts'

/** An epoch, before or after its middle. */
type Moment = `${number} ${'early' | 'late'}`

/** A stake and the moment at which it is made. */
export type Piece = { readonly owner: string; readonly amount: bigint; readonly moment: Moment }

/** The properties and the history of one validator. */
export type Plan = {
  readonly id: string
  readonly name: string
  readonly operator: string
  readonly missesPerMille: number
  readonly restless: boolean
  readonly commissionBps: number
  /** Total stake at the end of the history. */
  readonly stake: bigint
  readonly pieces: ReadonlyMap<Moment, readonly Piece[]>
  /** The epoch in which it joins: 0 for a founder, undefined for one that stays a candidate. */
  readonly joins: number | undefined
  readonly leaves: number | undefined
  /** The epoch in which its operator withdraws so much that it falls below the joining stake. */
  readonly shrinks: number | undefined
  /** Raises of the commission, by the epoch in which they are announced. */
  readonly raises: ReadonlyMap<number, number>
}

type Role = Pick<Plan, 'joins' | 'leaves' | 'shrinks'> & {
  readonly count: number
  readonly tokens: readonly [number, number]
}

const TOKEN = 1_000_000_000n
const DELEGATORS = 300
const VALIDATORS = 60
/** The number of ids that a plan needs: one per delegator, and two per validator (its own and its operator's). */
export const PLANNED_IDS = DELEGATORS + 2 * VALIDATORS
const OPERATOR_MIN_TOKENS = 31_000_000

/** The kinds of validators. `tokens` is the range of their stake, in whole tokens. */
function rolesFor(present: number): readonly Role[] {
  const stays = { joins: 0, leaves: undefined, shrinks: undefined }
  const large = [40_000_000, 450_000_000] as const
  const special = [
    { ...stays, joins: undefined, count: 3, tokens: [4_000_000, 24_000_000] as const },
    { ...stays, joins: present, count: 2, tokens: [36_000_000, 60_000_000] as const },
    { ...stays, joins: Math.floor(present * 0.3), count: 1, tokens: large },
    { ...stays, leaves: present, count: 2, tokens: large },
    { ...stays, leaves: Math.floor(present * 0.4), count: 1, tokens: large },
    { ...stays, shrinks: Math.floor(present * 0.7), count: 1, tokens: [40_000_000, 44_000_000] as const },
  ]
  const others = VALIDATORS - special.reduce((sum, role) => sum + role.count, 0)
  return [{ ...stays, count: others, tokens: large }, ...special]
}

export function planWorld(chance: Chance, historyEpochs: number, newId: () => string): readonly Plan[] {
  const present = historyEpochs + 1
  const names = validatorNames(chance, VALIDATORS)
  const delegators = Array.from({ length: DELEGATORS }, newId)
  const roles = rolesFor(present).flatMap((role) => Array.from({ length: role.count }, () => role))
  return names.map((name, index) =>
    planValidator(chance, { name, index, role: roles[index], delegators, present, newId }),
  )
}

type Setting = {
  readonly name: string
  readonly index: number
  readonly role: Role | undefined
  readonly delegators: readonly string[]
  readonly present: number
  readonly newId: () => string
}

function planValidator(chance: Chance, { name, index, role, delegators, present, newId }: Setting): Plan {
  const [least, most] = role?.tokens ?? [0, 0]
  const stake = Math.round(Math.min(most, Math.max(least, 78_000_000 * Math.exp(0.6 * chance.bell()))))
  const operator = newId()
  const own = Math.round(stake * (0.4 + 0.3 * chance.unit()))
  const operatorTokens = Math.min(stake, Math.max(own, OPERATOR_MIN_TOKENS))
  const raises = plannedRaises(index, present)
  const commissionBps = chance.below(raises.size > 0 ? 29 : 41) * 50
  return {
    id: newId(),
    name,
    operator,
    ...reliability(chance, index),
    restless: index % 9 === 5,
    commissionBps,
    stake: BigInt(stake) * TOKEN,
    pieces: Map.groupBy(
      [
        { owner: operator, amount: BigInt(operatorTokens) * TOKEN, moment: '0 early' as const },
        ...delegations(chance, stake - operatorTokens, delegators, present),
      ],
      ({ moment }) => moment,
    ),
    joins: role?.joins,
    leaves: role?.leaves,
    shrinks: role?.shrinks,
    raises,
  }
}

/** One validator in nine is unreliable; the others miss at most one epoch in two hundred. */
function reliability(chance: Chance, index: number): Pick<Plan, 'missesPerMille'> {
  return { missesPerMille: index % 9 === 7 ? 40 + chance.below(200) : chance.below(6) }
}

/** Three have raised their commission, and one has announced that it will. */
function plannedRaises(index: number, present: number): ReadonlyMap<number, number> {
  const when = [undefined, Math.floor(present / 4), Math.floor(present / 2), present - 12, present][index]
  return when === undefined ? new Map() : new Map([[when, 400]])
}

/** Splits a stake into uneven parts: most from the first epoch, the rest over time, a few in the present epoch. */
function delegations(
  chance: Chance,
  tokens: number,
  delegators: readonly string[],
  present: number,
): readonly Piece[] {
  if (tokens < 10_000) return []
  const count = 4 + chance.below(11)
  const weights = Array.from({ length: count }, () => 0.05 + chance.unit() ** 3)
  const whole = weights.reduce((sum, weight) => sum + weight, 0)
  return weights.map((weight) => ({
    owner: delegators[chance.below(delegators.length)] ?? '',
    amount: BigInt(Math.max(1, Math.floor((tokens * weight) / whole))) * TOKEN,
    moment: arrival(chance, present),
  }))
}

function arrival(chance: Chance, present: number): Moment {
  if (chance.below(100) < 55) return '0 early'
  if (chance.below(100) < 4) return `${present} early`
  return `${1 + chance.below(present - 1)} ${chance.below(2) === 0 ? 'early' : 'late'}`
}
