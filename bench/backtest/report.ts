import type { Track } from './walk-forward.ts'

export type Line = {
  readonly strategy: string
  /** The mean, standard deviation and minimum over the epochs, in percent a year after the cost of moving. */
  readonly netApr: number
  readonly deviation: number
  readonly worstEpoch: number
  /** Percent of the stake, per epoch. */
  readonly turnover: number
  readonly switchCostBps: number
}

export function summarise({ name, net, gross, moved }: Track): Line {
  const netApr = mean(net)
  return {
    strategy: name,
    netApr,
    deviation: Math.sqrt(mean(net.map((value) => (value - netApr) ** 2))),
    worstEpoch: Math.min(...net),
    turnover: 100 * mean(moved),
    switchCostBps: 100 * (mean(gross) - netApr),
  }
}

export function toTable(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(({ strategy }) => strategy.length))
  const head = `${'strategy'.padEnd(width)} | net APR % |   sd | worst epoch | turnover/epoch % | cost bps`
  const rows = lines.map(({ strategy, netApr, deviation, worstEpoch, turnover, switchCostBps }) =>
    [
      strategy.padEnd(width),
      netApr.toFixed(3).padStart(9),
      deviation.toFixed(2).padStart(4),
      worstEpoch.toFixed(2).padStart(11),
      turnover.toFixed(2).padStart(16),
      switchCostBps.toFixed(1).padStart(8),
    ].join(' | '),
  )
  return [head, head.replace(/[^|]/g, '-'), ...rows].join('\n')
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
