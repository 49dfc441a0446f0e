/** The service's HTTP server alone: one constant answer, one echo. */
import { prometheusMeters } from '@stakewright/server/adapters/system/metrics/prometheus-meters.ts'
import { openEdge } from '@stakewright/server/http/edge.ts'
import { silentLogger } from '../../server/test/support/silent-logger.ts'
import { EDGE_ANSWER } from './edge-answer.ts'

const edge = openEdge({ logger: silentLogger, meters: prometheusMeters({ ofProcess: false }) })
edge.serve({ method: 'GET', path: '/healthz', auth: 'none' }, () => ({ body: {} }))
edge.serve({ method: 'GET', path: '/answer/{id}', auth: 'none' }, () => ({ body: EDGE_ANSWER }))
edge.serve({ method: 'POST', path: '/echo', auth: 'none' }, (request) => ({ body: request.body() }))
await edge.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
process.once('SIGTERM', () => edge.close(1_000))
