import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { LIMITS } from '@stakewright/contract/limits'
import type { FastifyInstance } from 'fastify'
import { fastify } from 'fastify'
import { Fault } from '../fault.ts'
import type { FailExchange } from './exchange.ts'
import { exchangeOf } from './exchange.ts'

type Needs = {
  readonly server: Server
  readonly fail: FailExchange
  readonly onUnreadable: (error: NodeJS.ErrnoException, socket: Socket) => void
}

const UNREAD: Record<string, string> = {}
const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']

/**
 * Fastify on a server of ours. It finds the route and calls its handler; logging, bodies, errors and answers are the
 * edge's, because they must be the same where Fastify is not: in the parser, at the deadline, while stopping.
 */
export function openRouter({ server, fail, onUnreadable }: Needs): FastifyInstance {
  const app = fastify({
    serverFactory: () => server,
    clientErrorHandler: onUnreadable,
    genReqId: (request) => exchangeOf(request).id,
    frameworkErrors: (_error, request) => fail(exchangeOf(request.raw), badPath()),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // The query is parsed when a handler asks for it; no parameter can be longer than the URL.
    routerOptions: { querystringParser: () => UNREAD, maxParamLength: LIMITS.urlBytes },
  })
  app.setErrorHandler((error, request) => fail(exchangeOf(request.raw), error))
  for (const method of WITH_BODY) app.addHttpMethod(method, { hasBody: false, overrideExisting: true })
  return app
}

const badPath = () =>
  new Fault(
    'invalid_input',
    'The path has a % that is not followed by the code of a UTF-8 character. Encode % itself as %25.',
  )
