import { useLayoutEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { useStore } from '../data/store.ts'
import { themeChanges } from '../data/theme.ts'
import { html, type View } from '../parts/html.ts'
import { hasLonePoint, spanOf, withGaps } from './epoch-line.ts'
import { tokenColour, tokenText } from './tokens.ts'

/** An event at an `x`: a change is marked with its text, a missed epoch by a cross. */
export type PlotEvent = {
  readonly x: number
  readonly kind: 'commission' | 'missed'
  readonly text: string
}

type Props = {
  readonly x: readonly number[]
  readonly y: readonly (number | null)[]
  readonly height: number
  readonly formatY: (value: number) => string
  /** A shorter format for the axis; `formatY` by default. */
  readonly formatTick?: (value: number) => string
  /** The name of an `x` in the label of the crosshair. */
  readonly formatX: (value: number) => string
  readonly series?: 1 | 2 | 3 | 4
  readonly events?: readonly PlotEvent[]
  /** Plots with the same name share their crosshair. */
  readonly sync?: string
  readonly isStepped?: boolean
  /** The minimum span of the y-axis, so that noise does not look like a crash. */
  readonly leastSpan?: number
  /** Starts the y-axis at 0, for values whose size matters, such as errors. */
  readonly isFromZero?: boolean
  /** Draws every point. */
  readonly hasPoints?: boolean
}

/** The steps of the x-axis: whole epochs only. */
const WHOLE_STEPS = [1, 2, 5, 10, 20, 25, 30, 40, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const

/** One line over epochs. The finding and the table are in the `Figure` around it. */
export function LinePlot(props: Props): View {
  const box = useRef<HTMLDivElement>(null)
  const label = useRef<HTMLDivElement>(null)
  const change = useStore(themeChanges)
  const { x, y, height, events } = props
  // A layout effect: a browser that is about to print waits for it, but not for the next frame.
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const drawn = { ...props, ...(props.isStepped ? { x, y } : withGaps(x, y)) }
    const plot = new uPlot(
      toOptions(drawn, element.clientWidth, label.current),
      [[...drawn.x], [...drawn.y]],
      element,
    )
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [x, y, height, events, change])
  return html`<div class="line-plot" style=${{ minHeight: `${height}px` }}><div class="plot-label" ref=${label}></div><div ref=${box}></div></div>`
}

function toOptions(props: Props, width: number, label: HTMLElement | null): uPlot.Options {
  const { height, formatY, series = 1, sync, isStepped = false, isFromZero = false } = props
  const [line, grid, ink] = [tokenColour(`--series-${series}`), tokenColour('--grid'), tokenColour('--ink-3')]
  const font = `12px ${tokenText('--sans')}`
  const stepped = uPlot.paths.stepped?.({ align: 1 })
  return {
    width,
    height,
    padding: [12, 18, 0, 0],
    legend: { show: false },
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: false, y: false },
      ...(sync !== undefined && { sync: { key: sync } }),
    },
    scales: {
      x: { time: false, range: () => spanOf(props.x) },
      y: { range: (_, low, high) => widen(isFromZero ? 0 : low, high, props.leastSpan ?? 0) },
    },
    axes: [
      {
        stroke: ink,
        font,
        size: 28,
        grid: { show: false },
        ticks: { stroke: grid, size: 4 },
        space: 72,
        values: (_, values) => values.map((epoch, index) => (index === 0 ? `epoch ${epoch}` : String(epoch))),
        incrs: [...WHOLE_STEPS],
      },
      {
        stroke: ink,
        font,
        size: (_, texts) => widthOf(texts, font),
        space: 36,
        grid: { stroke: grid, width: 1 },
        ticks: { show: false },
        values: (_, values) => values.map(props.formatTick ?? formatY),
      },
    ],
    series: [
      {},
      {
        stroke: line,
        width: 1.75,
        // A single point, also one between gaps, makes no line.
        points: { show: props.x.length === 1 || props.hasPoints === true || hasLonePoint(props.y), size: 7 },
        spanGaps: false,
        ...(isStepped && stepped && { paths: stepped }),
      },
    ],
    hooks: {
      setCursor: [(plot) => showLabel(plot, props, label)],
      draw: [(plot) => drawEvents(plot, props.events ?? [])],
    },
  }
}

const LEAST_AXIS_PX = 56
/** Between the labels of the axis and the plot, as uPlot places them. */
const AXIS_GAP_PX = 6
let measuring: CanvasRenderingContext2D | null | undefined

/** The width that the labels of the y-axis need: a fixed one would cut off long ones. */
function widthOf(texts: readonly string[] | null, font: string): number {
  measuring ??= document.createElement('canvas').getContext('2d')
  if (!measuring) return LEAST_AXIS_PX
  measuring.font = font
  const widest = Math.max(0, ...(texts ?? []).map((text) => measuring?.measureText(text).width ?? 0))
  return Math.max(LEAST_AXIS_PX, Math.ceil(widest) + 2 * AXIS_GAP_PX)
}

function widen(low: number, high: number, leastSpan: number): [number, number] {
  const span = Math.max(high - low, leastSpan, Math.abs(high) * 0.02, 1e-9)
  const middle = (low + high) / 2
  const bottom = middle - span * 0.6
  return [low >= 0 ? Math.max(0, bottom) : bottom, middle + span * 0.6]
}

function showLabel(
  plot: uPlot,
  { x, y, formatX, formatY, events = [] }: Props,
  label: HTMLElement | null,
): void {
  if (!label) return
  const { idx } = plot.cursor
  const value = idx == null ? undefined : y[idx]
  if (idx == null || value == null) {
    label.textContent = ''
    return
  }
  const at = x[idx] ?? 0
  const texts = events.filter((event) => event.x === at).map(({ text }) => text)
  label.textContent = [formatX(at), formatY(value), ...texts].join(' · ')
}

/** A triangle and text for a change, a cross on the axis for a missed epoch; the crosshair and the table have all texts. */
function drawEvents(plot: uPlot, events: readonly PlotEvent[]): void {
  const { ctx } = plot
  ctx.save()
  ctx.strokeStyle = ctx.fillStyle = tokenColour('--attention')
  for (const event of events) {
    if (event.kind === 'missed') drawMiss(plot, event)
    else drawChange(plot, event)
  }
  ctx.restore()
}

function drawMiss({ ctx, bbox, valToPos }: uPlot, { x }: PlotEvent): void {
  const pixels = devicePixelRatio
  const at = valToPos(x, 'x', true)
  const [bottom, size] = [bbox.top + bbox.height - 5 * pixels, 3 * pixels]
  ctx.setLineDash([])
  ctx.lineWidth = 2 * pixels
  for (const lean of [-1, 1]) {
    ctx.beginPath()
    ctx.moveTo(at - size, bottom - lean * size)
    ctx.lineTo(at + size, bottom + lean * size)
    ctx.stroke()
  }
}

function drawChange({ ctx, bbox, valToPos }: uPlot, { x, text }: PlotEvent): void {
  const pixels = devicePixelRatio
  const at = Math.round(valToPos(x, 'x', true)) + 0.5
  ctx.lineWidth = pixels
  ctx.setLineDash([3 * pixels, 3 * pixels])
  ctx.beginPath()
  ctx.moveTo(at, bbox.top + 6 * pixels)
  ctx.lineTo(at, bbox.top + bbox.height)
  ctx.stroke()
  ctx.beginPath()
  ctx.moveTo(at - 4 * pixels, bbox.top)
  ctx.lineTo(at + 4 * pixels, bbox.top)
  ctx.lineTo(at, bbox.top + 6 * pixels)
  ctx.fill()
  ctx.font = `${11 * pixels}px ${tokenText('--sans')}`
  const isLate = at > bbox.left + bbox.width / 2
  ctx.textAlign = isLate ? 'right' : 'left'
  ctx.fillText(text, at + (isLate ? -8 : 8) * pixels, bbox.top + 2 * pixels)
}
