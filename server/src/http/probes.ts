import type { CurrentNetwork } from '#domain/network/current-network.ts'
import type { WriteProbe } from '#ports/stores/write-probe.ts'
import type { Handler } from './wire/router.ts'
import type { HttpServer } from './wire/server.ts'

type Needs = {
  readonly serve: HttpServer['serve']
  readonly network: CurrentNetwork
  readonly writeProbe: WriteProbe
}

export const PROBE_PATHS = ['/healthz', '/readyz'] as const

/** Liveness and readiness probes, exempt from all limits. */
export function serveProbes({ serve, network, writeProbe }: Needs): void {
  const probe = (path: (typeof PROBE_PATHS)[number], handler: Handler) =>
    serve({ method: 'GET', path, auth: 'operator' }, handler)
  probe('/healthz', () => ({ body: { status: 'ok' } }))
  probe('/readyz', async () => {
    network.read()
    // The audit log records every request before it is served, so a store without writes serves nothing.
    await writeProbe.check()
    return { body: { status: 'ready' } }
  })
}
