/** Seconds up to which a request belongs to a bucket. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const NAME = 'stakewright_http_request_duration_seconds'
const HELP = 'Time from the first byte of a request to the end of its answer.'
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Requests of one route, method and status. */
type Kind = { readonly labels: string; readonly counts: Float64Array; sum: number }

export type RequestTimes = {
  add(route: string, method: string, status: number, seconds: number): void
  /** As Prometheus reads a histogram. */
  expose(): string
}

/**
 * How long requests took. A histogram of our own, because it is written to by every request: finding the labels of one
 * in a general library costs several times what counting does.
 */
export function requestTimes(): RequestTimes {
  const byRoute = new Map<string, Map<string, Map<number, Kind>>>()
  const kinds: Kind[] = []

  function newKind(route: string, method: string, status: number): Kind {
    const labels = `route="${route}",method="${method}",status="${status}"`
    const kind: Kind = { labels, counts: new Float64Array(BUCKETS.length + 1), sum: 0 }
    kinds.push(kind)
    return kind
  }

  function kindOf(route: string, given: string, status: number): Kind {
    // A stranger may invent methods: they must fill neither the memory nor the page.
    const method = METHODS.has(given) ? given : 'other'
    const byMethod = getOrAdd(byRoute, route, () => new Map<string, Map<number, Kind>>())
    const byStatus = getOrAdd(byMethod, method, () => new Map<number, Kind>())
    return getOrAdd(byStatus, status, () => newKind(route, method, status))
  }

  return {
    add(route, method, status, seconds) {
      const kind = kindOf(route, method, status)
      const bucket = bucketOf(seconds)
      kind.counts[bucket] = (kind.counts[bucket] ?? 0) + 1
      kind.sum += seconds
    },
    expose: () =>
      [`# HELP ${NAME} ${HELP}`, `# TYPE ${NAME} histogram`, ...kinds.flatMap(toLines)].join('\n'),
  }
}

function bucketOf(seconds: number): number {
  let bucket = 0
  while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1
  return bucket
}

/** Prometheus wants each bucket to hold all below it, too. */
function toLines({ labels, counts, sum }: Kind): readonly string[] {
  let total = 0
  const buckets = [...counts].map((count, at) => {
    total += count
    return `${NAME}_bucket{le="${BUCKETS[at] ?? '+Inf'}",${labels}} ${total}`
  })
  return [...buckets, `${NAME}_sum{${labels}} ${sum}`, `${NAME}_count{${labels}} ${total}`]
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
