import { createRequire } from 'node:module'

const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

/**
 * The server of `node:http` without its client. A plain import reads every export of a module, and some of this one
 * load all of undici: with them a start takes a twentieth longer and 10 MB more, for what a server never uses.
 */
export const { createServer, STATUS_CODES } = http
