import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../fault.ts'
import type { FailExchange, ServedRoute } from './exchange.ts'
import { exchangeOf } from './exchange.ts'
import type { Handler } from './run-handler.ts'
import { runHandler } from './run-handler.ts'
import { PREFLIGHT } from './security-headers.ts'
import type { SendAnswer } from './send-answer.ts'

/** A row of the contract, as far as the router is concerned. */
export type RouteRow = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters stand in braces: `/api/v1/staking/validators/{id}`. */
  readonly path: string
  /** `none` is public; everything else is a credential that the handler asks for. */
  readonly auth: string
  /** GET changes something here, so HEAD answers without running the handler. */
  readonly headIsInert?: boolean
}

type Needs = {
  readonly app: FastifyInstance
  readonly send: SendAnswer
  readonly fail: FailExchange
  readonly trustProxyHops: number
}

type Served = { readonly method: string; readonly parts: readonly string[]; readonly route: ServedRoute }

/** Finds the handler of a request, or says what is wrong with its path or method. */
export function openRouting({ app, send, fail, trustProxyHops }: Needs) {
  const all: Served[] = []
  const run = runHandler({ send, fail, trustProxyHops })

  function register(method: string, route: ServedRoute, handle: Handler): void {
    const { template } = route
    const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    all.push({ method, parts: template.split('/'), route })
    app.route<{ Params: Readonly<Record<string, string>> }>({
      method,
      url: template.replaceAll(/\{(\w+)\}/g, ':$1'),
      handler: ({ raw, params }) => {
        const exchange = exchangeOf(raw)
        exchange.route = route
        // The router lets a parameter be empty: `/validators/` would be a validator without a name.
        if (names.some((name) => params[name] === '')) fail(exchange, unknownPath())
        else run(exchange, handle, params)
      },
    })
  }

  return {
    serve({ method, path, auth, headIsInert = false }: RouteRow, handler: Handler): void {
      const route: ServedRoute = { template: path, isPublicRead: method === 'GET' && auth === 'none' }
      register(method, route, handler)
      if (method === 'GET') register('HEAD', route, headIsInert ? () => ({}) : handler)
    },

    /** The router found no handler: the path is unknown, or it is known and the method is not. */
    answerUnrouted({ raw }: FastifyRequest): void {
      const exchange = exchangeOf(raw)
      const here = servedAt(all, raw.url ?? '')
      const allow = [...new Set(here.map(({ method }) => method)), 'OPTIONS'].join(', ')
      const preflight = here.some(({ route }) => route.isPublicRead) ? PREFLIGHT : undefined
      if (here.length === 0) fail(exchange, unknownPath())
      else if (raw.method === 'OPTIONS') send(exchange, { status: 204, headers: { allow, ...preflight } })
      else fail(exchange, wrongMethod(raw.method ?? '', allow))
    },
  }
}

function servedAt(all: readonly Served[], url: string): readonly Served[] {
  const given = decodeURI(url.replace(/\?.*/s, '')).split('/')
  return all.filter(
    ({ parts }) => parts.length === given.length && parts.every((part, at) => fits(part, given[at])),
  )
}

const fits = (wanted: string, given: string | undefined) =>
  wanted.startsWith('{') ? given !== '' : wanted === given

const unknownPath = () => {
  const message = 'Nothing is served at this path. Compare it with /openapi.json: case and slashes count.'
  return new Fault('not_found', message)
}

const wrongMethod = (method: string, allow: string) => {
  const message = `${method} is not possible here. Use one of: ${allow}.`
  return new Fault('invalid_input', message, { status: 405, headers: { allow } })
}
