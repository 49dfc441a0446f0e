/**
 * The routes of edge-server.ts on Fastify, as its documentation recommends: request id, security headers, a timeout,
 * one error body, and one measured time and one log line for each request.
 */
import { randomUUID } from 'node:crypto'
import { prometheusMeters } from '@stakewright/server/adapters/system/metrics/prometheus-meters.ts'
import fastify from 'fastify'
import { silentLogger } from '../../server/test/support/silent-logger.ts'
import { EDGE_ANSWER, EDGE_HEADERS } from './edge-answer.ts'

const meters = prometheusMeters({ ofProcess: false })
const app = fastify({
  bodyLimit: 102_400,
  genReqId: () => randomUUID(),
  requestTimeout: 10_000,
  logger: false,
})
app.addHook('onRequest', (request, reply, done) => {
  reply.headers({ ...EDGE_HEADERS, 'x-request-id': request.id })
  done()
})
app.addHook('onResponse', (request, reply, done) => {
  const route = request.routeOptions.url ?? '(none)'
  const { method } = request
  const { statusCode: status, elapsedTime: latencyMs } = reply
  meters.requestFinished(route, method, status, latencyMs / 1_000)
  silentLogger.info('request', { requestId: request.id, route, method, status, latencyMs })
  done()
})
app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
  const status = error.statusCode ?? 500
  return reply
    .status(status)
    .send({ error: 'invalid_input', message: error.message, status, requestId: request.id })
})
app.get('/healthz', async () => ({}))
app.get('/answer/:id', async () => EDGE_ANSWER)
app.post('/echo', async (request) => request.body)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => app.close())
