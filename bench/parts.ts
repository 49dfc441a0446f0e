import { createHmac, randomUUID } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { bcs } from '@mysten/sui/bcs'
import { ROUTES } from '@stakewright/contract/routes'
import { id } from '@stakewright/server/adapters/sui/layouts/move-layouts.ts'
import { hmacSha256 } from '@stakewright/server/adapters/system/hmac.ts'
import { jsonLogger } from '@stakewright/server/adapters/system/logs/json-logger.ts'
import { requestTimes } from '@stakewright/server/adapters/system/metrics/request-times.ts'
import { rateLimitHeaders } from '@stakewright/server/http/rate-limit-headers.ts'
import { securityHeaders } from '@stakewright/server/http/security-headers.ts'
import { toHeadText, withHeadText } from '@stakewright/server/http/wire/head-text.ts'
import { listRoutePaths } from '@stakewright/server/http/wire/parse/route-paths.ts'
import { newRequestId } from '@stakewright/server/http/wire/request-id.ts'
import findMyWay from 'find-my-way'
import { pino } from 'pino'
import { Histogram, Registry } from 'prom-client'
import { formatRange, median, quantile } from './support/quantiles.ts'

/** One operation: the service's implementation and the library or plain form that it replaces. */
type Part = {
  readonly name: string
  readonly ours: () => unknown
  readonly other: () => unknown
  readonly than: string
}

const CALLS = 20_000
const ROUNDS = 31
const PATH = '/api/v1/staking/validators/0x1111/apy-history'
const LINE = {
  requestId: 'f6f4a6a2-3b9e-4c53-9f7e-0d9b0f6a7c11',
  route: '/api/v1/staking/agent/metadata',
  method: 'GET',
  status: 200,
  latencyMs: 1.25,
  bytes: 1_024,
}

const SAME_HEADERS = securityHeaders(undefined)(undefined)
const QUOTA_HEADERS = rateLimitHeaders({
  limits: { rpm: 1_000, rpd: 100_000 },
  usedMinute: 1,
  usedDay: 1,
  minuteEndsAt: 1_795_031_340_000,
  dayEndsAt: 1_795_046_400_000,
})

/** Compares the processor time per call of our own parts with that of a library, alternating in one process. */
export async function benchParts(): Promise<void> {
  console.log('\nMicroseconds of processor time for one call: median of', ROUNDS, 'rounds (quartiles)')
  console.log('part                          ours                   instead                saved')
  const parts = [
    ...[logLine(), requestTime(), keyDigest(), routeLookup()],
    ...[inFlight(), syncAnswer(), requestId(), responseHead(), objectId()],
  ]
  for (const part of parts) {
    const ours: number[] = []
    const other: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      ours.push(await microseconds(part.ours))
      other.push(await microseconds(part.other))
    }
    const saved = (median(other) - median(ours)).toFixed(2)
    console.log(
      part.name.padEnd(29),
      spread(ours).padEnd(22),
      spread(other).padEnd(22),
      saved,
      `than ${part.than}`,
    )
  }
}

async function microseconds(call: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < CALLS; count += 1) {
    const result = call()
    if (result instanceof Promise) await result
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

function logLine(): Part {
  const output = { write: () => {} }
  const ours = jsonLogger({ level: 'info', output })
  const theirs = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, output)
  return {
    name: 'a log line',
    ours: () => ours.info('request', LINE),
    other: () => theirs.info(LINE, 'request'),
    than: 'pino',
  }
}

/** The response head of a keyed request: eight constant lines and six numbers. */
function responseHead(): Part {
  const Ours = withHeadText(ServerResponse)
  const request = Object.assign(new IncomingMessage(new Socket()), {
    httpVersionMajor: 1,
    httpVersionMinor: 1,
  })
  const same = { ...SAME_HEADERS, 'content-type': 'application/json; charset=utf-8' }
  const [text, lines] = [toHeadText(same), Object.entries(same).flat()]
  return {
    name: 'the head of a response',
    ours: () => {
      const response = new Ours(request)
      response.headText = text + toHeadText(QUOTA_HEADERS)
      response.writeHead(200)
    },
    other: () =>
      new ServerResponse(request).writeHead(200, [...lines, ...Object.entries(QUOTA_HEADERS).flat()]),
    than: 'writeHead with a list',
  }
}

function requestTime(): Part {
  const ours = requestTimes()
  const theirs = new Histogram({
    name: 'duration_seconds',
    help: 'Time.',
    labelNames: ['route', 'method', 'status'],
    registers: [new Registry()],
  })
  const { route, method, status } = LINE
  return {
    name: 'a measured time',
    ours: () => ours.add(route, method, status, 0.004),
    other: () => theirs.observe({ route, method, status }, 0.004),
    than: 'prom-client',
  }
}

function keyDigest(): Part {
  const key = Buffer.alloc(32, 7)
  const ours = hmacSha256(key)
  const text = `swk_${'a'.repeat(60)}`
  return {
    name: 'the digest of a key',
    ours: () => ours(text),
    other: () => createHmac('sha256', key).update(text).digest('hex'),
    than: 'createHmac',
  }
}

function routeLookup(): Part {
  const ours = listRoutePaths<string>()
  const theirs = findMyWay()
  for (const { method, path } of Object.values(ROUTES)) {
    ours.add(method, path, path)
    theirs.on(method, path.replaceAll(/\{(\w+)\}/g, ':$1'), () => {})
  }
  return {
    name: 'a route with a parameter',
    ours: () => ours.find('GET', PATH),
    other: () => theirs.find('GET', PATH),
    than: 'find-my-way',
  }
}

/** With 32 requests in flight, one begins and one ends. */
function inFlight(): Part {
  const exchanges = Array.from({ length: 32 }, (_, place) => ({ place }))
  const set = new Set(exchanges)
  return {
    name: 'a request in flight',
    ours: () => {
      const exchange = { place: 0 }
      exchange.place = exchanges.push(exchange) - 1
      const last = exchanges.pop()
      if (last === undefined || last === exchange) return
      exchanges[exchange.place] = last
      last.place = exchange.place
    },
    other: () => {
      const exchange = { place: 0 }
      set.add(exchange)
      set.delete(exchange)
    },
    than: 'a Set',
  }
}

/** A synchronous handler, called with and without a promise around its answer. */
function syncAnswer(): Part {
  const answer = { status: 200 }
  const handle = (): typeof answer | Promise<typeof answer> => answer
  return {
    name: 'an answer without a promise',
    ours: () => {
      const given = handle()
      return given instanceof Promise ? given.then(({ status }) => status) : given.status
    },
    other: async () => (await handle()).status,
    than: 'await',
  }
}

/** Node builds a UUID as a rope, which the first full read flattens at a cost: so both ids are read. */
function requestId(): Part {
  const read = (id: string) => /[^\t\x20-\x7e\x80-\xff]/.test(id) || JSON.stringify({ id }).length
  return {
    name: 'the id of a request',
    ours: () => read(newRequestId()),
    other: () => read(randomUUID()),
    than: 'randomUUID',
  }
}

/** The id of an object of a chain: read, and written again to check that its bytes are canonical. */
function objectId(): Part {
  const bytes = Uint8Array.from({ length: 32 }, (_, place) => place * 7)
  const address = bcs.Address
  return {
    name: 'the id of an object',
    ours: () => id.serialize(id.parse(bytes)).toBytes(),
    other: () => address.serialize(address.parse(bytes)).toBytes(),
    than: "the SDK's Address",
  }
}

const spread = (values: readonly number[]) =>
  formatRange(median(values), quantile(values, 0.25), quantile(values, 0.75))
