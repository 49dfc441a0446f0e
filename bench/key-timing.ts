import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createClient } from '@stakewright/client'
import { openSecrets } from '@stakewright/server/adapters/system/system-secrets.ts'
import { startContender } from './contender.ts'
import { ADMIN, adminToken } from './hot-path.ts'
import { UNLIMITED } from './public-data.ts'

const ROUNDS = 3_000
const WARM_UP = 300
const SERVER = fileURLToPath(new URL('stakewright-server.ts', import.meta.url))

/**
 * Does the time of a refusal tell what was wrong with a key? Every round asks once with each kind, in random order, on
 * a connection of its own. An AUC of 0.5 is a coin toss: from one answer nobody can say which of the two kinds it was.
 */
export async function benchKeyTiming(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-bench-'))
  try {
    const dataDir = join(folder, 'data')
    const env = { ...UNLIMITED, DATA_DIR: dataDir, ADMIN_EMAILS: ADMIN, LOG_LEVEL: 'error' }
    await using server = await startContender('stakewright', SERVER, env)
    const kinds = await keysOfEveryKind(`http://127.0.0.1:${server.port}`, await adminToken(server, dataDir))
    const times = await ask(server.port, kinds)
    console.log(`\nRefused keys: ${ROUNDS} requests with each, interleaved`)
    const unknown = times.get('unknown') ?? []
    for (const [kind, measured] of times) report(kind, measured, unknown)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

type Kinds = ReadonlyMap<string, () => string>

async function keysOfEveryKind(baseUrl: string, token: string): Promise<Kinds> {
  const owner = createClient({ baseUrl, token })
  const { data: revoked } = await owner.registerAgent({ agentName: 'revoked', tier: 'builder' })
  await owner.revokeAgent({ id: revoked.id })
  const { data: active } = await owner.registerAgent({ agentName: 'active', tier: 'builder' })
  const { data: pending } = await createClient({ baseUrl }).selfRegister({
    agentName: 'pending',
    email: 'pending@example.com',
  })
  const invent = openSecrets({ keyPrefix: 'stk', pepper: 'no pepper of the server' })
  return new Map([
    ['unknown', () => invent.newApiKey()],
    ['unknown, with the first 12 characters of a real one', () => withPrefix(invent, active.keyPrefix)],
    ['revoked', () => revoked.apiKey],
    ['pending', () => pending.apiKey],
    ['malformed: wrong checksum', () => `${invent.newApiKey().slice(0, -6)}000000`],
  ])
}

/** Well-formed, and alike as far as lists show it: found by trying, since the checksum covers all of it. */
function withPrefix(invent: ReturnType<typeof openSecrets>, prefix: string): string {
  const drawn = openSecrets({
    keyPrefix: prefix.slice(0, 3),
    pepper: '',
    random: startingWith(prefix.slice(4)),
  })
  const key = drawn.newApiKey()
  return invent.isApiKey(key) ? key : withPrefix(invent, prefix)
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const startingWith = (start: string) => (bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, at) =>
    at < start.length ? BASE62.indexOf(start[at] ?? '0') : Math.floor(Math.random() * 248),
  )

async function ask(port: number, kinds: Kinds): Promise<ReadonlyMap<string, number[]>> {
  const times = new Map<string, number[]>([...kinds.keys()].map((kind) => [kind, []]))
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    await once(socket, 'connect')
    // The first answer of a connection takes longer than the others, whatever was asked.
    await timeOne(socket, 'none')
    for (const [kind, key] of shuffled([...kinds])) {
      const took = await timeOne(socket, key())
      if (round >= 0) times.get(kind)?.push(took)
    }
    socket.end()
  }
  return times
}

async function timeOne(socket: Socket, key: string): Promise<number> {
  const request = `GET /api/v1/staking/agent/metadata HTTP/1.1\r\nhost: bench\r\nx-api-key: ${key}\r\n\r\n`
  const sentAt = performance.now()
  socket.write(request)
  let answer = ''
  for (;;) {
    const [chunk] = await once(socket, 'data')
    const now = performance.now()
    answer += String(chunk)
    const headEnd = answer.indexOf('\r\n\r\n')
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(answer)?.[1])
    if (headEnd === -1 || answer.length < headEnd + 4 + length) continue
    if (!answer.startsWith('HTTP/1.1 401')) throw new Error(`expected 401: ${answer}`)
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

function report(kind: string, times: readonly number[], unknown: readonly number[]): void {
  const micros = (part: number) => Math.round(1_000 * quantile(times, part))
  const difference = 1_000 * (quantile(times, 0.5) - quantile(unknown, 0.5))
  console.log(
    `  ${kind.padEnd(52)} median ${micros(0.5)} µs (quartiles ${micros(0.25)}–${micros(0.75)})` +
      `, against unknown ${difference.toFixed(0)} µs, AUC ${aucOf(times, unknown).toFixed(3)}`,
  )
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0
}

/** How often a value of the first list is larger than one of the second: Mann and Whitney's U, as a share. */
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
