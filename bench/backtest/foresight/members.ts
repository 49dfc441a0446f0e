import { SCORING } from '../../../server/src/domain/staking/scoring/scoring-rules.ts'
import type { StakeOptions } from '../../../server/src/domain/staking/stake-options.ts'
import { oracles, WATER_FILLING_ORACLE } from '../oracles.ts'
import { hysteresisVariants, plainRules } from '../plain-rules.ts'
import type { HistoryEpoch } from '../read-history.ts'
import { equalPay } from '../scenario.ts'
import { oursWith } from '../strategies.ts'
import type { Strategy } from '../strategy.ts'
import { walkForward } from '../walk-forward.ts'
import { type Chance, fitChance, headroomOf } from './member-chance.ts'

/** One committee has too few evictions for a fit, so the same stakes are cut at several committee sizes. */
const COMMITTEES = { wide: [50, 70, 102, 140, 200, 280], narrow: [40, 50, 60, 70, 80] } as const
const USUAL = 102
const SHARES = [0.0001, 0.001, 0.01, 0.05] as const
/** A decision that sees epoch t is paid from t + 2 on. */
const PAID_AFTER = [2, 3, 4] as const
const BLOCK = 6

type Trial = {
  readonly title: string
  readonly history: readonly HistoryEpoch[]
  readonly committees: readonly number[]
  /** The number of epochs before the first decision that is scored. */
  readonly warmUp: number
  readonly chance: Chance
}

/**
 * Compares the retention of the service with a fitted chance of being a member in the next three paid epochs. Every fit
 * uses only epochs before those it is scored on. A second network is scored with the fit of the first, and with its own.
 */
export function studyMembers(
  history: readonly HistoryEpoch[],
  other: readonly HistoryEpoch[] | undefined,
): void {
  const [quarter, half] = [Math.ceil(history.length / 4), Math.floor(history.length / 2)]
  const fitTo = (epochs: number, from = history, committees: readonly number[] = COMMITTEES.wide): Chance =>
    fitChance(
      committees.map((committee) => equalPay(from.slice(0, epochs), 0, committee).history),
      PAID_AFTER,
    )
  const base = { committees: COMMITTEES.wide, history }
  runTrial({
    ...base,
    title: 'second quarter, fitted to the first',
    history: history.slice(0, half),
    warmUp: quarter - 1,
    chance: fitTo(quarter),
  })
  runTrial({ ...base, title: 'second half, fitted to the first', warmUp: half, chance: fitTo(half) })
  if (!other) return
  const there = { committees: COMMITTEES.narrow, history: other }
  runTrial({
    ...there,
    title: 'the other network, fitted to the first half of this one',
    warmUp: 14,
    chance: fitTo(half),
  })
  const before = Math.floor(other.length / 2)
  runTrial({
    ...there,
    title: 'second half of the other network, fitted to its first',
    warmUp: before,
    chance: fitTo(before, other, COMMITTEES.narrow),
  })
}

function runTrial({ title, history, committees, warmUp, chance }: Trial): void {
  const cells = committees.flatMap((committee) =>
    SHARES.map((share) => {
      const scenario = equalPay(history, share, committee)
      const tracks = walkForward(scenario, comparedRules(chance), warmUp, () => undefined)
      const water = tracks.find(({ name }) => name === WATER_FILLING_ORACLE)?.net ?? []
      const parts = tracks.map(({ name, net }) => ({ name, part: (100 * sum(net)) / sum(water), net }))
      return { committee, share, parts, water }
    }),
  )
  const { atEdge, fading } = chance
  console.log(`${title}: 1 − ${atEdge.toFixed(2)} · e^(−headroom / ${fading.toFixed(3)})`)
  const partsOf = (name: string, among: readonly number[]): string =>
    SHARES.map((share) => {
      const those = cells.filter((cell) => cell.share === share && among.includes(cell.committee))
      return mean(those.flatMap(({ parts }) => parts.find((one) => one.name === name)?.part ?? [])).toFixed(1)
    }).join(', ')
  const names = (cells[0]?.parts ?? []).map(({ name }) => name)
  const width = Math.max(...names.map(({ length }) => length))
  for (const name of names) {
    const usual = committees.includes(USUAL) ? `   ${USUAL} members: ${partsOf(name, [USUAL])}` : ''
    console.log(`  ${name.padEnd(width)} ${partsOf(name, committees)}${usual}`)
  }
  console.log(`  gained by the chance, blocks of ${BLOCK} epochs: ${gainsByBlock(cells).join(', ')}`)
}

type Cell = {
  readonly parts: readonly { readonly name: string; readonly net: readonly number[] }[]
  readonly water: readonly number[]
}

/** Mean gain per block in percentage points of the oracle; its spread shows how little a few epochs can prove. */
function gainsByBlock(cells: readonly Cell[]): readonly string[] {
  const blocks = Math.floor((cells[0]?.water.length ?? 0) / BLOCK)
  return Array.from({ length: blocks }, (_, block) => {
    const within = (net: readonly number[] | undefined): number =>
      sum((net ?? []).slice(block * BLOCK, (block + 1) * BLOCK))
    const gains = cells.map(
      ({ parts: [asItIs, fitted], water }) =>
        (100 * (within(fitted?.net) - within(asItIs?.net))) / within(water),
    )
    return mean(gains).toFixed(1)
  })
}

const comparedRules = (chance: Chance): readonly Strategy[] => [
  oursWith('as it is', (market) => market),
  oursWith('fitted chance over 3 epochs', (market) => withChance(market, chance)),
  ...plainRules(5).filter(({ name }) => name.startsWith('top-10 mean')),
  ...hysteresisVariants(),
  ...oracles().filter(({ name }) => name === WATER_FILLING_ORACLE),
]

/** Replaces the service's estimate of the risk of eviction by the fitted chance. */
function withChance(market: StakeOptions, { atEdge, fading }: Chance): StakeOptions {
  const stakesWhere = (inside: boolean): number[] =>
    market.options.filter(({ inCommittee }) => inCommittee === inside).map(({ stake }) => Number(stake))
  const threshold = Math.min(Math.max(0, ...stakesWhere(false)), Math.min(...stakesWhere(true)))
  const { epochsLost, eviction } = SCORING.retention
  return {
    ...market,
    options: market.options.map((option) => {
      const headroom = Math.max(0, headroomOf(Number(option.stake), threshold))
      const counted = 1 / (1 + epochsLost * eviction.perEpoch * Math.exp(-headroom / eviction.fading))
      const fitted = 1 - atEdge * Math.exp(-headroom / fading)
      return { ...option, efficiency: (option.efficiency / counted) * fitted }
    }),
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const mean = (values: readonly number[]): number => sum(values) / values.length
