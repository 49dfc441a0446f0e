import { hash } from 'node:crypto'
import { isDiscoveryPath } from '#discovery/serve-discovery.ts'
import { decideBreaker } from '#domain/limits/decide-breaker.ts'
import { type ReservedShare, reserveShare } from '#domain/limits/reserved-share.ts'
import { breaker } from '#domain/limits/shed-load.ts'
import { throttleAddresses } from '#domain/limits/throttle-addresses.ts'
import { countAcrossInstances } from '#http/guard/count-across-instances.ts'
import { countInProcess } from '#http/guard/count-in-process.ts'
import { credentialForms } from '#http/guard/credential-forms.ts'
import { type Guard, guardRequests, type RequestCounter } from '#http/guard/guard.ts'
import type { BreakerRules } from '#http/guard/open-breaker.ts'
import { isMessage } from '#http/mcp/route.ts'
import { METRICS_PATH } from '#http/metrics.ts'
import { PROBE_PATHS } from '#http/probes.ts'
import { OPENAPI_PATHS } from '#http/serve-openapi.ts'
import { VERIFY_PAGE_PATH } from '#http/verify-page.ts'
import type { Clock } from '#ports/clock.ts'
import { isWebPath } from '#web/serve-web.ts'
import type { Config } from '../config.ts'
import { MINUTE_MS } from '../durations.ts'
import type { Parts } from './open-parts.ts'
import type { Wired } from './operations/wired.ts'

/** The limits before authentication, counted in this process or across all instances. */
export type CallerLimits = { readonly guard: Guard; readonly share: ReservedShare }

type Needs = BreakerRules &
  Pick<Parts, 'admission' | 'traffic'> & { readonly clock: Clock; readonly seed: number }

/** Probes, documentation and pages are not counted. */
const EXEMPT: ReadonlySet<string> = new Set([
  ...PROBE_PATHS,
  METRICS_PATH,
  ...OPENAPI_PATHS,
  VERIFY_PAGE_PATH,
])

/** Everything under /api/ is counted, so the patterns of pages are not tried for it. */
const isExempt = (path: string) =>
  !path.startsWith('/api/') && (EXEMPT.has(path) || isWebPath(path) || isDiscoveryPath(path))

export async function openCallerLimits({ config, runtime, parts }: Wired): Promise<CallerLimits> {
  const { clock, logger } = runtime
  const { admission, traffic, secrets } = parts
  const seed = seedOf(parts.pepper)
  const { globalPerMinute: perMinute, ipPerMinute: wastedPerMinute } = config.limits
  const share = reserveShare({ perMinute, wastedPerMinute, seed })
  const credentialIn = credentialForms(secrets)
  const counter = await openCounter(config.limits, {
    admission,
    traffic,
    clock,
    logger,
    share,
    credentialIn,
    // Messages of MCP may have their key in the body, where the breaker does not look.
    mayRevoke: isMessage,
    seed,
  })
  return { guard: guardRequests({ ...counter, clock, isExempt }), share }
}

async function openCounter(limits: Config['limits'], needs: Needs): Promise<RequestCounter> {
  const { admission, traffic, clock, seed } = needs
  const perMinute = limits.ipPerMinute
  if (traffic) {
    const judge = decideBreaker({ perMinute: limits.globalPerMinute })
    return countAcrossInstances({ ...needs, traffic, judge, perMinute })
  }
  const throttle = throttleAddresses({ perMinute, seed })
  // Restores the counts from before a restart.
  for (const count of await admission.addressCounts(minuteOf(clock.now()))) throttle.restore(count)
  return countInProcess({
    ...needs,
    throttle,
    perMinute,
    breaker: breaker({ perMinute: limits.globalPerMinute }),
  })
}

const minuteOf = (now: number) => now - (now % MINUTE_MS)

/** Stable over restarts, so that stored counts stay valid, and secret, so that nobody can craft colliding addresses. */
const seedOf = (pepper: string) =>
  Number.parseInt(hash('sha256', `address seed ${pepper}`, 'hex').slice(0, 8), 16)
