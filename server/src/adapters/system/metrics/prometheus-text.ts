/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

type Kind = 'counter' | 'gauge' | 'histogram'

/** A metric with one value; empty if the value is unknown. */
export function exposeValue(kind: Kind, name: string, help: string, value: number | undefined): string {
  return value === undefined ? '' : `${headOf(kind, name, help)}${name} ${value}\n`
}

/** The observations with one set of labels. */
export type Series = { readonly labels: string; readonly counts: Float64Array; sum: number }

type Histogram = {
  /** The series with these labels, in Prometheus syntax: `a="1",b="2"`. */
  series(labels: string): Series
  observe(series: Series, value: number): void
  expose(): string
}

/** `bounds` are ascending and inclusive upper bounds of the buckets. */
export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const byLabels = new Map<string, Series>()
  return {
    series(labels) {
      const known = byLabels.get(labels)
      if (known) return known
      const made: Series = { labels, counts: new Float64Array(bounds.length + 1), sum: 0 }
      byLabels.set(labels, made)
      return made
    },
    observe(series, value) {
      let bucket = 0
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1
      series.sum += value
    },
    expose: () =>
      headOf('histogram', name, help) +
      [...byLabels.values()].map((series) => exposeSeries(name, bounds, series)).join(''),
  }
}

const headOf = (kind: Kind, name: string, help: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`

/** Buckets are cumulative in the text format. */
function exposeSeries(name: string, bounds: readonly number[], { labels, counts, sum }: Series): string {
  let total = 0
  const buckets = [...counts].map((count, at) => {
    total += count
    return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",${labels}} ${total}\n`
  })
  return `${buckets.join('')}${name}_sum{${labels}} ${sum}\n${name}_count{${labels}} ${total}\n`
}
