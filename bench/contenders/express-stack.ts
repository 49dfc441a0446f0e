/**
 * The usual stack for comparison: express, express-rate-limit with counters in Redis, the key looked up in Postgres,
 * and one audit insert per request, committed before the answer. It sends the answer of `…/agent/metadata`.
 */
import { hash } from 'node:crypto'
import express, { type Request, type RequestHandler } from 'express'
import { ipKeyGenerator, rateLimit } from 'express-rate-limit'
import { Redis } from 'ioredis'
import pg from 'pg'
import { type RedisReply, RedisStore } from 'rate-limit-redis'
import { readAnswer } from './recorded-answer.ts'

const PLENTY = 1_000_000_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const answer = JSON.parse(readAnswer(process.env['BENCH_ANSWER']).body)
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'] })
const redis = new Redis(process.env['REDIS_URL'] ?? '')

const keyOf = (request: Request) => hash('sha256', request.get('x-api-key') ?? '', 'hex')
const addressOf = (request: Request) => ipKeyGenerator(request.ip ?? '')

const limit = (name: string, windowMs: number, keyGenerator: (request: Request) => string) =>
  rateLimit({
    windowMs,
    limit: PLENTY,
    standardHeaders: true,
    legacyHeaders: false,
    keyGenerator,
    store: new RedisStore({ prefix: `express:${name}:`, sendCommand }),
  })

/** Guaranteed by the store's Lua script, which returns numbers. */
function sendCommand(command: string, ...args: string[]): Promise<RedisReply> {
  return redis.call(command, ...args) as Promise<RedisReply>
}

const authenticate: RequestHandler = async (request, response, next) => {
  const { rows } = await pool.query('select id from api_keys where key_hash = $1', [keyOf(request)])
  if (rows.length === 0) {
    response.status(401).json({ error: 'unauthorized' })
    return
  }
  response.locals['agent'] = rows[0].id
  next()
}

const audit: RequestHandler = async (request, response, next) => {
  const values = [response.locals['agent'], request.method, request.path, request.ip]
  await pool.query(
    'insert into audit (agent, at, method, path, address) values ($1, now(), $2, $3, $4)',
    values,
  )
  next()
}

const ofKey = limit('minute', MINUTE_MS, keyOf)
/** The limits of this service without the global one, or a single limit. */
const [first, ...others] =
  process.env['BENCH_LIMITS'] === 'one'
    ? [ofKey]
    : [limit('address', MINUTE_MS, addressOf), ofKey, limit('day', DAY_MS, keyOf)]

const app = express()
app.set('trust proxy', 1)
app.get('/healthz', (_request, response) => {
  response.json({ status: 'ok' })
})
app.get(
  '/api/v1/staking/agent/metadata',
  ...(first ? [first] : []),
  authenticate,
  ...others,
  audit,
  (_request, response) => {
    response.json(answer)
  },
)
app.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
