import { NETWORKS, type SuiNetworkName } from '#adapters/sui/networks/networks.ts'
import { stakingChainSuite } from '../contracts/suites/staking-chain.ts'
import { OWNER, STRANGER, sampleNetwork } from '../fake-full-node/sample-network.ts'
import { openTestChain, WORLDS } from './opened-chain.ts'

for (const network of Object.keys(NETWORKS) as SuiNetworkName[]) {
  stakingChainSuite(network, async () => {
    const opened = await openTestChain(network)
    return { ...opened, owner: OWNER, stranger: STRANGER, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] }
  })
}

for (const network of ['ika', 'walrus'] as const) {
  stakingChainSuite(`${network}, next committee selected`, async () => {
    const opened = await openTestChain(network, [
      WORLDS[network](sampleNetwork({ nextCommitteeSelected: true })),
    ])
    return { ...opened, owner: OWNER, stranger: STRANGER, [Symbol.asyncDispose]: opened[Symbol.asyncDispose] }
  })
}
