import { StakewrightError } from '@stakewright/client'

/** Fetches a file of the service that is no endpoint. A missing answer is the same outage as that of an endpoint. */
export async function fetchFile(path: string, missing: string): Promise<Response> {
  const response = await fetch(path).catch((cause: unknown) => {
    throw new StakewrightError('unreachable', 'The service does not answer.', {}, { cause })
  })
  if (!response.ok) throw new Error(missing)
  return response
}
