import { type EndpointName, ROUTES } from '@stakewright/contract'

/** What every text for agents speaks of. */
export type Facts = {
  readonly version: string
  readonly network: string
  readonly served: readonly EndpointName[]
  /** Where the service is reached, without a slash at the end. */
  readonly url: string
  /** As this service is configured. */
  readonly limits: {
    readonly ipPerMinute: number
    readonly registrationsPerIpHour: number
    readonly registrationsPerIpDay: number
    readonly registrationsPerDay: number
  }
  /** Of the Model Context Protocol. */
  readonly revisions: readonly string[]
  /** File names of the documentation, such as `limits.md`. */
  readonly pages: readonly string[]
}

export const isSandbox = ({ served }: Facts): boolean => served.includes('sandboxKey')

/** `POST /api/v1/…`: how a text names an endpoint. */
export const callOf = (name: EndpointName): string => `${ROUTES[name].method} ${ROUTES[name].path}`
