import type { EndpointName } from '../routes.ts'

/** Advice for a refusal by a check across several fields, and the call that returns valid values. */
export type RefusalFix = { readonly fix: string; readonly source?: EndpointName }

/** The advice as `params` of a check, which zod copies into its issue. */
export const refusalFix = (fix: string, source?: EndpointName): RefusalFix & Record<string, unknown> => ({
  fix,
  ...(source && { source }),
})

/** The advice in the `params` of an issue; undefined if there is none. */
export const fixOfRefusal = (
  params: Readonly<Record<string, unknown>> | undefined,
): RefusalFix | undefined => (typeof params?.['fix'] === 'string' ? (params as RefusalFix) : undefined)
