import type { EndpointName } from '../routes.ts'

/** How to mend what a check of several fields refused, and the call that gives right values. */
export type RefusalFix = { readonly fix: string; readonly source?: EndpointName }

/** For the `params` of a check, which zod hands on with its issue. */
export const refusalFix = (fix: string, source?: EndpointName): RefusalFix & Record<string, unknown> => ({
  fix,
  ...(source && { source }),
})

/** What a check said with its refusal; undefined if it said nothing. */
export const fixOfRefusal = (
  params: Readonly<Record<string, unknown>> | undefined,
): RefusalFix | undefined => (typeof params?.['fix'] === 'string' ? (params as RefusalFix) : undefined)
