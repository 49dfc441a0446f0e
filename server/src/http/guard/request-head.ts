import type { Exchange } from '../wire/exchange.ts'

/** The parts of a request that the breaker looks at. */
export type RequestHead = Pick<Exchange['request'], 'method' | 'url' | 'headers'>
