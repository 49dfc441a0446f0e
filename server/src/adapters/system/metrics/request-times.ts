import { histogram, type Series } from './prometheus-text.ts'

const NAME = 'stakewright_http_request_duration_seconds'
const HELP = 'Time from the first byte of a request to the end of its answer.'
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

type RequestTimes = {
  add(route: string, method: string, status: number, seconds: number): void
  expose(): string
}

/** Durations of requests. On the hot path, so a series is found without building its label string. */
export function requestTimes(): RequestTimes {
  const times = histogram(NAME, HELP, SECONDS)
  const byRoute = new Map<string, Map<string, Map<number, Series>>>()

  function seriesOf(route: string, given: string, status: number): Series {
    // Unknown methods share one label, so that clients cannot create series.
    const method = METHODS.has(given) ? given : 'other'
    const byMethod = getOrAdd(byRoute, route, () => new Map<string, Map<number, Series>>())
    const byStatus = getOrAdd(byMethod, method, () => new Map<number, Series>())
    const make = () => times.series(`route="${route}",method="${method}",status="${status}"`)
    return getOrAdd(byStatus, status, make)
  }

  return {
    add: (route, method, status, seconds) => times.observe(seriesOf(route, method, status), seconds),
    expose: times.expose,
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
