import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { median, quantile } from './quantiles.ts'

/** By name of the kind, a function that makes a new request as sent on the wire. */
export type Kinds = ReadonlyMap<string, () => string>

type Plan = {
  readonly port: number
  readonly rounds: number
  readonly warmUp: number
  readonly expectStatus: number
}

/** Each round opens a connection and sends one request of each kind in random order. Returns latencies in milliseconds. */
export async function askInterleaved(
  kinds: Kinds,
  { port, rounds, warmUp, expectStatus }: Plan,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>([...kinds.keys()].map((kind) => [kind, []]))
  for (let round = -warmUp; round < rounds; round += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    await once(socket, 'connect')
    // Warms up the connection: its first answer always takes longer.
    await timeOne(socket, 'GET /healthz HTTP/1.1\r\nhost: bench\r\n\r\n', 200)
    for (const [kind, request] of shuffled([...kinds])) {
      const took = await timeOne(socket, request(), expectStatus)
      if (round >= 0) times.get(kind)?.push(took)
    }
    socket.end()
  }
  return times
}

async function timeOne(socket: Socket, request: string, expectStatus: number): Promise<number> {
  const sentAt = performance.now()
  socket.write(request)
  let answer = ''
  for (;;) {
    const [chunk] = await once(socket, 'data')
    const now = performance.now()
    answer += String(chunk)
    const headEnd = answer.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1])
    if (headEnd === -1 || Buffer.byteLength(answer) < headEnd + 4 + length) continue
    if (!answer.startsWith(`HTTP/1.1 ${expectStatus}`)) throw new Error(`not ${expectStatus}: ${answer}`)
    return now - sentAt
  }
}

function shuffled<T>(list: T[]): readonly T[] {
  for (let last = list.length - 1; last > 0; last -= 1) {
    const at = Math.floor(Math.random() * (last + 1))
    const [a, b] = [list[at], list[last]]
    if (a !== undefined && b !== undefined) [list[at], list[last]] = [b, a]
  }
  return list
}

/** Prints each kind compared with the first one. */
export function reportTimes(times: ReadonlyMap<string, readonly number[]>): void {
  const [first] = times.values()
  for (const [kind, measured] of times) {
    const micros = (part: number) => Math.round(1_000 * quantile(measured, part))
    const difference = 1_000 * (median(measured) - median(first ?? []))
    console.log(
      `  ${kind.padEnd(52)} median ${micros(0.5)} µs (quartiles ${micros(0.25)}–${micros(0.75)})` +
        `, difference ${difference.toFixed(0)} µs, AUC ${aucOf(measured, first ?? []).toFixed(3)}`,
    )
  }
}

/** The probability that a value of the first list exceeds one of the second: the Mann–Whitney U statistic as a share. */
function aucOf(first: readonly number[], second: readonly number[]): number {
  const sorted = second.toSorted((a, b) => a - b)
  const below = (value: number, orEqual: boolean): number => {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const at = sorted[middle] ?? 0
      if (at < value || (orEqual && at === value)) low = middle + 1
      else high = middle
    }
    return low
  }
  const wins = first.reduce((sum, value) => sum + (below(value, false) + below(value, true)) / 2, 0)
  return wins / (first.length * second.length)
}
