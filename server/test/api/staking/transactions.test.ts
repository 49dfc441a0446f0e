import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import type { Client, Reply } from '@stakewright/client'
import { toTransaction } from '@stakewright/client/sui'
import { openAppOn } from '../../support/chain-app.ts'
import { type Holdings, holdingsOn, TEN } from '../../support/holdings.ts'
import { builtOffline, callsIn, expectedCall, jsonOf, transfersIn } from '../../support/sdk-transactions.ts'

type Built = Reply<'buildStake'>
const PART = '2000000000'

/** Every kind of transaction of a network, each with its sender and without. */
function buildAll(agent: Client, { validatorId, sender, earning, preActive, ofInactive, due }: Holdings) {
  const anonymous = ({ stakedTokenId }: Holdings['due']) => ({ stakedTokenId })
  return {
    stake: [
      agent.buildStake({ validatorId, amount: TEN, sender }),
      agent.buildStake({ validatorId, amount: TEN }),
    ],
    'unstake all': [agent.buildUnstake(earning), agent.buildUnstake(anonymous(earning))],
    'unstake a part': [
      agent.buildUnstake({ ...earning, amount: PART }),
      agent.buildUnstake({ ...anonymous(earning), amount: PART }),
    ],
    'take back before it is active': [
      agent.buildUnstake(preActive),
      agent.buildUnstake(anonymous(preActive)),
    ],
    'take a part back before it is active': [
      agent.buildUnstake({ ...preActive, amount: PART }),
      agent.buildUnstake({ ...anonymous(preActive), amount: PART }),
    ],
    'leave an inactive validator': [
      agent.buildUnstake(ofInactive),
      agent.buildUnstake(anonymous(ofInactive)),
    ],
    withdraw: [agent.buildWithdraw(due), agent.buildWithdraw(anonymous(due))],
  } as const
}

for (const network of ['sandbox', 'ika', 'walrus', 'sui'] as const) {
  test(`200: ${network}: a build is a transaction of the SDK, by its commands and by its own JSON`, async () => {
    await using app = await openAppOn(network)
    const holdings = await holdingsOn(network, app.agent)
    for (const [name, requests] of Object.entries(buildAll(app.agent, holdings))) {
      const [signed, anonymous] = await Promise.all(requests)
      const sender = name === 'leave an inactive validator' ? holdings.ofInactive.sender : holdings.sender
      assert.deepEqual(
        withoutSender(anonymous),
        { ...withoutSender(signed), transaction: undefined },
        `${name}: the sender adds the SDK’s JSON and the simulation, and changes nothing else`,
      )
      const { nonce } = signed.intent
      assert.notEqual(anonymous.intent.nonce, nonce, `${name}: each build has its own nonce`)
      assert.deepEqual(
        { ...anonymous.intent, sender, nonce },
        signed.intent,
        `${name}: nor anything else of its intent`,
      )
      await checkSdk(signed, sender)
      checkMainCall(signed)
    }
  })
}

const withoutSender = ({
  intent: _,
  intentId: __,
  intentSignature: ___,
  simulation: ____,
  ...rest
}: Built) => ({
  transaction: undefined,
  ...rest,
})

async function checkSdk(built: Built, sender: string): Promise<void> {
  const { commands, transaction } = built
  assert.deepEqual(transaction, await jsonOf(toTransaction(built, { sender })))
  assert.deepEqual(transaction, await jsonOf(Transaction.from(JSON.stringify(transaction))))
  const decoded = await builtOffline(commands, sender)
  assert.equal(decoded.getData().sender, sender)
  assert.deepEqual(callsIn(decoded), commands.flatMap(expectedCall))
  assert.equal(transfersIn(decoded), commands.filter(({ kind }) => kind === 'transferToSender').length)
}

function checkMainCall({ action, target, arguments: given, typeArguments, commands }: Built): void {
  const {
    id: _,
    kind: __,
    ...main
  } = commands.findLast((command) => command.kind === 'moveCall') ?? assert.fail()
  assert.deepEqual({ target, arguments: given, typeArguments }, main)
  assert.match(
    target,
    { stake: /stake/, unstake: /request_withdraw/, withdraw: /withdraw_stake$/, join: /::join/ }[action],
  )
}
