import type { Reply } from '@stakewright/client'
import { memoize } from '../../data/memo.ts'
import { useCommissionHistory } from '../../data/queries.ts'
import { LinePlot } from '../../plots/line-plot.ts'
import { Figure } from '../figure.ts'
import { formatCommission, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { skeleton, whenLoaded } from '../state.ts'
import { isolateName } from '../validator-link.ts'

type History = Reply<'validatorCommissionHistory'>

/** Every rate the validator is known to have taken, up to the one it has announced. */
export function CommissionHistory({ id, name }: { readonly id: string; readonly name: string }): View {
  return html`<div class="card">${whenLoaded(
    useCommissionHistory(id),
    (history) => {
      const { x, y } = stepsOf(history)
      return h(Figure, {
        title: 'Commission',
        caption: captionOf(history, name),
        table: () => ({
          head: ['From epoch', 'Commission', 'Source'],
          rows: [
            ...(history.announced
              ? [
                  [
                    `${history.announced.epoch ?? 'a coming one'}, announced`,
                    formatCommission(history.announced.commissionRate),
                    'read',
                  ],
                ]
              : []),
            ...history.data
              .toReversed()
              .map(({ epoch, commissionRate, source }) => [
                String(epoch),
                formatCommission(commissionRate),
                source,
              ]),
          ],
        }),
        children: h(LinePlot, {
          x,
          y,
          height: 150,
          series: 2,
          isStepped: true,
          leastSpan: 2,
          formatY: (value: number) => formatCommission(value / 100),
          formatX: (epoch: number) => `Epoch ${epoch}`,
        }),
      })
    },
    skeleton('100%', '230px'),
  )}</div>`
}

/** Changes as the corners of a step line: it reaches to the present epoch, or to the announced one. */
const stepsOf = memoize(({ data, announced, commissionRate, epoch }: History) => {
  const known = data.map((change) => [change.epoch, change.commissionRate * 100] as const)
  const now = known.some(([at]) => at >= epoch) ? [] : [[epoch, commissionRate * 100] as const]
  const next = announced ? [[announced.epoch ?? epoch + 1, announced.commissionRate * 100] as const] : []
  const points = [...known, ...now, ...next.filter(([at]) => at > (now.at(-1) ?? known.at(-1) ?? [0])[0])]
  return { x: points.map(([at]) => at), y: points.map(([, rate]) => rate) }
})

function captionOf(
  { data, announced, commissionRate, highest, firstEpoch, assumedEpochs }: History,
  name: string,
): string {
  const changes = Math.max(0, data.length - 1)
  const since = firstEpoch === null ? '' : ` since epoch ${firstEpoch}`
  const past =
    changes === 0
      ? `has not changed it${since}`
      : `has changed it ${changes === 1 ? 'once' : plural(changes, 'time')}${since}, at most to ${formatCommission(highest)}`
  const next = announced
    ? ` It has announced ${formatCommission(announced.commissionRate)}${announced.epoch === null ? '' : ` from epoch ${announced.epoch} on`}.`
    : ''
  return `${isolateName(name)} takes ${formatCommission(commissionRate)} and ${past}.${next}${assumedText(assumedEpochs)}`
}

/** Names the epochs whose rate is assumed: an epoch without a reading is not an epoch without a change. */
function assumedText(spans: History['assumedEpochs']): string {
  if (spans.length === 0) return ''
  const named = spans.map(({ from, to }) => (from === to ? String(from) : `${from} to ${to}`)).join(', ')
  const epochs = spans.length === 1 && spans[0]?.from === spans[0]?.to ? 'epoch' : 'epochs'
  return ` The rate of ${epochs} ${named} is assumed from a later reading.`
}
