import type { Client } from '@stakewright/client'
import type { EndpointName } from '@stakewright/contract/routes'
import { call } from '../service.ts'

/** Calls an endpoint by its name with unchecked input, which the service validates. */
export const callByName = (name: EndpointName, input: Readonly<Record<string, unknown>>): Promise<unknown> =>
  call((client) => toCall(client, name)(input))

/** The cast holds because every endpoint is a client method that takes one object. */
const toCall = (client: Client, name: EndpointName) =>
  client[name] as (input: Readonly<Record<string, unknown>>) => Promise<unknown>
