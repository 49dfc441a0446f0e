/** The same on Fastify: request id, security headers, a deadline and one error body, as its documentation does them. */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { EDGE_ANSWER, EDGE_HEADERS } from './edge-answer.ts'

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
