import type { Exchange } from '../wire/exchange.ts'

/** The parts of a request that the breaker needs. */
export type RequestHead = Pick<Exchange['request'], 'method' | 'url' | 'headers'>
