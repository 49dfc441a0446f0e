import { LIMITS } from '@stakewright/contract/limits'
import { endpointAt } from '@stakewright/contract/routes'
import type { RecordMalformed, RecordOutcome } from '#api/audit-entry.ts'
import { adviseOnUnknownOutcome } from '#api/once/advise-on-unknown-outcome.ts'
import type { Logger } from '#ports/logger.ts'
import type { Meters } from '#ports/meters.ts'
import { NOT_SHOWN, shownName } from '../secrets/shown-name.ts'
import { allowOrigins } from './cors.ts'
import { toErrorResponse } from './error-response.ts'
import type { Guard } from './guard/guard.ts'
import { missingPage, type PageLink } from './pages/missing-page.ts'
import { openRequestLog } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'
import { misspelledPath, unknownPath } from './unknown-path.ts'
import type { Exchange } from './wire/exchange.ts'
import type { Hooks } from './wire/hooks.ts'
import { type HttpServer, openServer, type ServerOptions } from './wire/server.ts'
import { wrongMethod } from './wrong-method.ts'

type EdgeNeeds = {
  readonly logger: Logger
  readonly meters: Meters
  /** Undefined: no limits apply before authentication. */
  readonly guard?: Guard
  readonly onIgnoredProxy?: () => void
  /** Undefined: nothing is written to the audit log. */
  readonly recordOutcome?: RecordOutcome
  readonly recordMalformed?: RecordMalformed
  /** For requests whose clients expect errors in another form than that of the API. */
  readonly otherError?: OtherError
  /** Links for a browser at an unknown path. */
  readonly pages?: readonly PageLink[]
}

/** Undefined: the client of this request expects the error body of the API. */
export type OtherError = (
  request: Exchange['request'],
  error: unknown,
  requestId: string,
) => ReturnType<Hooks['toErrorResponse']> | undefined

export type EdgeOptions = Partial<ServerOptions> & {
  readonly publicUrl?: string
  /** Pages of these origins may send keyed calls. */
  readonly corsOrigins?: readonly string[]
}

const SIZES = { urlBytes: LIMITS.urlBytes, bodyBytes: LIMITS.bodyBytes, jsonDepth: LIMITS.jsonDepth }

/** The HTTP server of the service: wire/ with our error body, headers, limits and log. */
export function openEdge(needs: EdgeNeeds, options: EdgeOptions = {}): HttpServer {
  const {
    logger,
    meters,
    guard,
    onIgnoredProxy,
    recordOutcome,
    recordMalformed,
    otherError,
    pages = [],
  } = needs
  const { publicUrl, corsOrigins = [], ...settings } = options
  return openServer(
    {
      ...openRequestLog({ logger, meters, recordOutcome, recordMalformed }),
      ...guard,
      ...(onIgnoredProxy && { onIgnoredProxy }),
      toErrorResponse: (error, requestId, request) => {
        const advised = request ? adviseOnUnknownOutcome(error, failedCallOf(request)) : error
        return (request && otherError?.(request, advised, requestId)) ?? toErrorResponse(advised, requestId)
      },
      defaultHeaders: securityHeaders(publicUrl),
      ...allowOrigins(corsOrigins),
      unknownPath,
      missingPage: missingPage(pages),
      misspelledPath,
      wrongMethod,
      shownKey,
    },
    { requestMs: LIMITS.requestMs, ...SIZES, ...settings },
  )
}

/** It may be a misplaced key or password. */
function shownKey(key: string): string | undefined {
  const shown = shownName(key)
  return shown === NOT_SHOWN ? undefined : shown
}

/** The call of a request whose error comes from outside its handler, such as the deadline. */
function failedCallOf({ exchange, headers }: Exchange['request']) {
  const { method = '', path = '' } = exchange?.route ?? {}
  const idempotencyKey = headers['idempotency-key']?.toString()
  return { endpoint: endpointAt(method, path), method, idempotencyKey }
}
