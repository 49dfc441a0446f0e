import type { Logger } from '#ports/logger.ts'

/**
 * Behind a proxy that is not trusted, all clients have its address and share one limit. Only a warning, because a
 * client may also send the header without any proxy.
 */
export const warnOfIgnoredProxy = (logger: Logger) => () =>
  logger.warn(
    'X-Forwarded-For is ignored: behind a proxy all clients would share the limits of one address',
    {
      setting: 'TRUST_PROXY_HOPS',
      advice: 'Set it to the number of proxies in front, or leave it at 0 if there are none.',
    },
  )
