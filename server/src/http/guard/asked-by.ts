import type { Exchange } from '../wire/exchange.ts'

/** What the breaker looks at in a request, or in one message of a request that has several. */
export type AskedBy = Pick<Exchange['request'], 'method' | 'url' | 'headers'>
