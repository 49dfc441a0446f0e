import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { Meters } from '#ports/meters.ts'
import type { Handler } from './wire/router.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly network: CurrentNetwork
  readonly meters: Meters
}

export const PROBE_PATHS = ['/healthz', '/readyz', '/metrics'] as const

/** For operators, outside all limits: is the process alive, may it get traffic, what does it measure. */
export function serveProbes({ serve, network, meters }: Needs): void {
  const probe = (path: (typeof PROBE_PATHS)[number], handler: Handler) =>
    serve({ method: 'GET', path, auth: 'operator' }, handler)
  probe('/healthz', () => ({ body: { status: 'ok' } }))
  probe('/readyz', () => {
    network.read()
    return { body: { status: 'ready' } }
  })
  probe('/metrics', async () => {
    const { contentType, text } = await meters.expose()
    return { body: text, headers: { 'content-type': contentType } }
  })
}
