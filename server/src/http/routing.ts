import { LIMITS } from '@stakewright/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Fault } from '../fault.ts'
import type { Answer } from './answer.ts'
import type { Exchange, FailExchange } from './exchange.ts'
import { exchangeOf } from './exchange.ts'
import type { Inbound } from './inbound.ts'
import { toInbound } from './inbound.ts'
import { readBody } from './read-body.ts'
import { PREFLIGHT } from './security-headers.ts'
import type { SendAnswer } from './send-answer.ts'
import type { ServedRoute } from './served-route.ts'

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

export type Handler = (inbound: Inbound) => Answer | Promise<Answer>

type Needs = {
  readonly app: FastifyInstance
  readonly send: SendAnswer
  readonly fail: FailExchange
  readonly trustProxyHops: number
}

type Path = { readonly parts: readonly string[]; readonly methods: Map<string, ServedRoute> }

const NOTHING: Answer = {}

/** Finds the handler of a request, or says what is wrong with its path or method. */
export function openRouting({ app, send, fail, trustProxyHops }: Needs) {
  const paths = new Map<string, Path>()

  function serve(row: RouteRow, handler: Handler): void {
    const route: ServedRoute = {
      template: row.path,
      isPublicRead: row.method === 'GET' && row.auth === 'none',
    }
    const names = parameterNames(row.path)
    const register = (method: string, handle: Handler) => {
      methodsOf(paths, row.path).set(method, route)
      app.route<{ Params: Readonly<Record<string, string>> }>({
        method,
        url: row.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        handler: ({ raw, params }) => {
          const exchange = exchangeOf(raw)
          exchange.route = route
          // The router lets a parameter be empty: `/validators/` would be a validator without a name.
          if (names.some((name) => params[name] === '')) fail(exchange, unknownPath())
          else dispatch(exchange, handle, params)
        },
      })
    }
    register(row.method, handler)
    if (row.method === 'GET') register('HEAD', row.headIsInert ? () => NOTHING : handler)
  }

  function dispatch(exchange: Exchange, handle: Handler, params: Inbound['params']): void {
    const route = exchange.route?.template ?? ''
    if (!exchange.carriesBody) {
      run(exchange, handle, toInbound({ exchange, route, params, bytes: undefined, trustProxyHops }))
      return
    }
    readBody(exchange, LIMITS.bodyBytes).then(
      (bytes) => run(exchange, handle, toInbound({ exchange, route, params, bytes, trustProxyHops })),
      (error) => fail(exchange, error),
    )
  }

  function run(exchange: Exchange, handle: Handler, inbound: Inbound): void {
    try {
      const answer = handle(inbound)
      if (answer instanceof Promise) settle(exchange, answer)
      else send(exchange, answer)
    } catch (error) {
      fail(exchange, error)
    }
  }

  async function settle(exchange: Exchange, pending: Promise<Answer>): Promise<void> {
    try {
      send(exchange, await pending)
    } catch (error) {
      fail(exchange, error)
    }
  }

  /** The router found no handler: the path is unknown, or it is known and the method is not. */
  function answerUnrouted({ raw }: FastifyRequest): void {
    const exchange = exchangeOf(raw)
    const known = findPath(paths, raw.url ?? '')
    if (known === undefined) fail(exchange, unknownPath())
    else if (raw.method !== 'OPTIONS') fail(exchange, wrongMethod(raw.method ?? '', allowOf(known)))
    else send(exchange, { status: 204, headers: { allow: allowOf(known), ...preflightOf(known) } })
  }

  return { serve, answerUnrouted }
}

const parameterNames = (template: string) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function methodsOf(paths: Map<string, Path>, template: string): Path['methods'] {
  const known = paths.get(template) ?? { parts: template.split('/'), methods: new Map() }
  paths.set(template, known)
  return known.methods
}

function findPath(paths: ReadonlyMap<string, Path>, url: string): Path | undefined {
  const parts = decodeURI(url.replace(/\?.*/s, '')).split('/')
  for (const path of paths.values()) {
    if (path.parts.length === parts.length && path.parts.every((part, at) => fits(part, parts[at])))
      return path
  }
  return undefined
}

const fits = (wanted: string, given: string | undefined) =>
  wanted.startsWith('{') ? given !== '' : wanted === given

const allowOf = ({ methods }: Path) => [...methods.keys(), 'OPTIONS'].join(', ')

const preflightOf = ({ methods }: Path) => (methods.get('GET')?.isPublicRead ? PREFLIGHT : undefined)

const unknownPath = () =>
  new Fault(
    'not_found',
    'Nothing is served at this path. Compare it with /openapi.json: case and slashes count.',
  )

const wrongMethod = (method: string, allow: string) =>
  new Fault('invalid_input', `${method} is not possible here. Use one of: ${allow}.`, {
    status: 405,
    headers: { allow },
  })
