import { type EndpointName, ROUTES } from '@stakewright/contract'

/** Data for the texts that describe the service to programs. */
export type Facts = {
  readonly version: string
  readonly network: string
  readonly served: readonly EndpointName[]
  /** The URL of the service, without a trailing slash. */
  readonly url: string
  /** The configured limits. */
  readonly limits: {
    readonly ipPerMinute: number
    readonly registrationsPerIpHour: number
    readonly registrationsPerIpDay: number
    readonly registrationsPerDay: number
  }
  /** Supported revisions of the Model Context Protocol. */
  readonly revisions: readonly string[]
  /** File names of the documentation, such as `limits.md`. */
  readonly pages: readonly string[]
}

export const isSandbox = ({ served }: Facts): boolean => served.includes('sandboxKey')

/** An endpoint as method and path: `POST /api/v1/…`. */
export const callOf = (name: EndpointName): string => `${ROUTES[name].method} ${ROUTES[name].path}`
