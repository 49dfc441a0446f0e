import type { Client } from '@stakewright/client'
import type { EndpointName } from '@stakewright/contract/routes'
import { call } from '../service.ts'

/** Calls the endpoint of a name with whatever a person wrote: the service checks it. */
export const callByName = (name: EndpointName, input: Readonly<Record<string, unknown>>): Promise<unknown> =>
  call((client) => toCall(client, name)(input))

/** Every endpoint is a method of the client that takes one object. */
const toCall = (client: Client, name: EndpointName) =>
  client[name] as (input: Readonly<Record<string, unknown>>) => Promise<unknown>
