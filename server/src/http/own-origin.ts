import { isLoopback } from '../basics/loopback.ts'

/**
 * Whether a page of this origin may send requests with a key: the service's own pages, those of the configured
 * origins, and pages on the user's own machine. The Host header is no proof, because of DNS rebinding: a page can
 * resolve its own name to our address.
 */
export function ownOrigins(
  publicUrl: string | undefined,
  others: readonly string[],
): (origin: string) => boolean {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl).origin
  return (origin) =>
    origin === own ||
    others.includes(origin) ||
    (URL.canParse(origin) && isLoopback(new URL(origin).hostname))
}
