import { type ConfiguredEndpoint, toEndpointAddress } from '#adapters/sui/connection/endpoint-address.ts'
import { graphqlSource } from '#adapters/sui/holders/graphql-source.ts'
import { chainNameOf, NETWORKS, type SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { type CheckNeeds, isFresh, type NodeReport } from './node-report.ts'
import { timedFetch } from './timed-fetch.ts'

/** Checks a GraphQL source by reading one page of staked tokens. A source of another chain is reported as a problem. */
export async function checkHolders(
  network: SuiNetworkName,
  endpoint: ConfiguredEndpoint,
  { clock, now, callMs, checkMs }: CheckNeeds & { readonly checkMs: number },
): Promise<NodeReport> {
  const { chainId, stakedTokenType: tokenType } = NETWORKS[network]
  const timed = timedFetch(now)
  const source = graphqlSource({ endpoint, chainId, tokenType, clock, fetch: timed.fetch, callMs })
  const { page, problem } = await source.readPage(undefined, AbortSignal.timeout(checkMs)).then(
    (page) => ({ page, problem: null }),
    (error: unknown) => ({
      page: undefined,
      problem: error instanceof Error ? error.message : String(error),
    }),
  )
  const { calls, averageMs } = timed.read()
  const age = page ? Math.max(0, Math.round((clock.now() - page.at) / 1000)) : null
  return {
    kind: 'graphql',
    endpoint: toEndpointAddress(endpoint).host,
    latencyMs: averageMs,
    chain: page ? (chainNameOf(chainId) ?? chainId) : null,
    epoch: null,
    validators: null,
    checkpointAgeSeconds: age,
    calls,
    missing: age === null ? ['delegators'] : isFresh(age) ? [] : ['fresh data'],
    problem,
  }
}
