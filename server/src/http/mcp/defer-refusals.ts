import type { Fault } from '../../fault.ts'
import type { Guard } from '../guard/guard.ts'
import type { Exchange } from '../wire/exchange.ts'
import { isMessage } from './route.ts'

/** The refusal that the handler of a message must answer. `locals` are those of its exchange. */
export type DeferredRefusal = (locals: unknown) => Fault | undefined

type Deferring = { readonly onRequest: Guard['onRequest']; readonly refusalOf: DeferredRefusal }

/**
 * MCP clients show a model the JSON-RPC answer to its message, but not the body of an HTTP error. So if the guard
 * refuses a message as one too many, the handler of the message answers with that refusal.
 */
export function deferRefusals({ onRequest }: Pick<Guard, 'onRequest'>): Deferring {
  const deferred = new WeakMap<object, Fault>()

  const deferIn = (exchange: Exchange, refusal: Fault | undefined): Fault | undefined => {
    const { locals } = exchange
    if (refusal?.code !== 'rate_limited' || !isObject(locals)) return refusal
    deferred.set(locals, refusal)
    return undefined
  }

  return {
    onRequest(exchange, path) {
      const refusal = onRequest(exchange, path)
      if (!isShortMessage(exchange.request)) return refusal
      return refusal instanceof Promise
        ? refusal.then((fault) => deferIn(exchange, fault))
        : deferIn(exchange, refusal)
    },
    refusalOf: (locals) => (isObject(locals) ? deferred.get(locals) : undefined),
  }
}

/**
 * Messages up to this length are read although their address is over its limit, so that the refusal can contain their
 * id.
 */
const SHORT_BYTES = 16_384

const isShortMessage = (request: Exchange['request']): boolean =>
  isMessage(request) && Number(request.headers['content-length']) <= SHORT_BYTES

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
