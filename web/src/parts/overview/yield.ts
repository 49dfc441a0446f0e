import { memoize } from '../../data/memo.ts'
import { useNetworkHistory } from '../../data/queries.ts'
import { LinePlot } from '../../plots/line-plot.ts'
import { Figure } from '../figure.ts'
import { formatPercent, formatPoints, formatShare, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'

/** What stakers earned, epoch by epoch. */
export function Yield(): View {
  const history = useNetworkHistory()
  return whenLoaded(
    history,
    ({ data }) => {
      const newest = data.at(-1)
      const oldest = data[0]
      if (!newest || !oldest)
        return html`<h2>Network APY</h2><p class="soft">The first completed epoch brings the first figure.</p>`
      const change = newest.apy - oldest.apy
      const direction = Math.abs(change) < 0.005 ? 'the same as' : change > 0 ? 'more than' : 'less than'
      const caption = `Stakers earned ${formatPercent(newest.apy)} a year in epoch ${newest.epoch}, after commission: ${
        direction === 'the same as'
          ? direction
          : `${formatPoints(Math.abs(change)).replace('+', '')} ${direction}`
      } ${plural(newest.epoch - oldest.epoch, 'epoch')} before.`
      return h(Figure, {
        title: 'Network APY',
        level: 2,
        lead: html`<p class="row headline"><span class="figure-number">${formatPercent(newest.apy)}</span><span class="soft small">in epoch ${newest.epoch}, over all stake inside and outside the committee, net of commission</span></p>`,
        caption,
        table: () => ({
          head: ['Epoch', 'APY', 'Commission'],
          rows: data
            .toReversed()
            .map((point) => [
              String(point.epoch),
              formatPercent(point.apy),
              formatShare(point.commissionRate),
            ]),
        }),
        children: h(LinePlot, {
          x: memoEpochs(data),
          y: memoApy(data),
          height: 140,
          formatY: (value: number) => formatPercent(value),
          formatTick: (value: number) => formatPercent(value, 1),
          formatX: (epoch: number) => `Epoch ${epoch}`,
          leastSpan: 1,
        }),
      })
    },
    html`${skeleton('8em', '1.4em')}<div style=${{ height: '8px' }}></div>${skeleton('5em', '2.4em')}<div class="yield-room"></div>`,
  )
}

type History = readonly { readonly epoch: number; readonly apy: number }[]
const memoEpochs = memoize((data: History) => data.map(({ epoch }) => epoch))
const memoApy = memoize((data: History) => data.map(({ apy }) => apy))
