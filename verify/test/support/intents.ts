import assert from 'node:assert/strict'
import type { NetworkName } from '../../../server/src/ports/chain/staking-chain.ts'
import { openAppHolding } from '../../../server/test/support/chain-app.ts'
import { holdingsOn, joinableTokensOn, TEN, TWINS } from '../../../server/test/support/holdings.ts'
import { digestOfTable, PINS, type PinTable } from '../../src/index.ts'

const PART = '2000000000'

/** One of each kind of transaction from a running service, its keys, and a table that pins its chain. */
export async function builtOn(network: NetworkName) {
  await using app = await openAppHolding(network, TWINS)
  const { agent } = app
  const { validatorId, sender, earning, due } = await holdingsOn(network, agent)
  const items = [
    { action: 'stake', validatorId, amount: TEN },
    { action: 'unstake', stakedTokenId: earning.stakedTokenId, amount: PART },
  ] as const
  const answers = {
    stake: await agent.buildStake({ validatorId, amount: TEN, sender }),
    unstake: await agent.buildUnstake({ ...earning, amount: PART }),
    withdraw: await agent.buildWithdraw(due),
    join: await agent.buildJoin(await joinableTokensOn(network, agent)),
    batch: await agent.buildBatch({ items, sender }),
  }
  return { answers, sender, keys: await app.client().intentKeys(), table: await tableFor(answers.stake) }
}

type Answer = { readonly intent: { readonly network: string; readonly calls: readonly string[] } }

/** Pins the invented package ids of the test chain. */
async function tableFor({ intent: { network, calls } }: Answer): Promise<PinTable> {
  const pins = PINS.networks[network]
  assert(pins)
  const { initialSharedVersion: _, ...system } = pins.system
  const packages = calls.map((call) => call.split('::')[0] ?? '')
  const table = { version: 99, networks: { [network]: { ...pins, packages, system } } }
  return { ...table, digest: await digestOfTable(table) }
}
