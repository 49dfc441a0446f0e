import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { Transaction } from '@mysten/sui/transactions'
import { toBase64 } from '@mysten/sui/utils'
import { installOnce } from '../../test/packages/cached-install.ts'
import { PINS, verifyTransaction } from '../src/index.ts'
import { COINS, DIGEST, SENDER, TOKENS, VALIDATORS, withGas } from './support/honest.ts'

type Builders = {
  requestAddStake(config: object, system: unknown, coin: unknown, validator: string, tx: Transaction): Result
  requestWithdrawStake(config: object, system: unknown, token: unknown, tx: Transaction): void
  withdrawStake(config: object, system: unknown, token: unknown, tx: Transaction): Result
}
type Result = ReturnType<Transaction['moveCall']>

const [TOKEN] = TOKENS
const [VALIDATOR] = VALIDATORS
const reference = (objectId: string) => ({ objectId, version: '7', digest: DIGEST })

test('what the builders of the Ika SDK make is what was wished, on both of its networks', async (context) => {
  const installed = await installOnce('@ika.xyz/sdk', '0.4.1')
  if ('why' in installed) return context.skip(installed.why)
  const sdk = createRequire(join(installed.folder, 'package.json'))(installed.folder)
  const build: Builders = sdk.systemTransactions
  for (const [network, name] of Object.entries({ ika: 'mainnet', 'ika-testnet': 'testnet' })) {
    // The ids come from the SDK, not from the table that they are held against.
    const config = sdk.getNetworkConfig(name)
    const verify = async (wish: object, make: (tx: Transaction, system: unknown) => void) => {
      const transaction = withGas(new Transaction())
      transaction.setSender(SENDER)
      const { objectID: objectId, initialSharedVersion } = config.objects.ikaSystemObject
      make(transaction, transaction.sharedObjectRef({ objectId, initialSharedVersion, mutable: true }))
      const bytes = toBase64(await transaction.build())
      const { failures } = verifyTransaction(bytes, { network, sender: SENDER, ...wish })
      assert.deepEqual(failures, [], `${network} ${JSON.stringify(wish)}`)
    }
    assert.equal(config.packages.ikaSystemPackage, PINS.networks[network]?.packages[0])
    await verify({ action: 'stake', validator: VALIDATOR, amount: '1000000000' }, (tx, system) => {
      const [coin] = tx.splitCoins(tx.objectRef(reference(COINS[0])), [1_000_000_000])
      tx.transferObjects([build.requestAddStake(config, system, coin, VALIDATOR, tx)], SENDER)
    })
    await verify({ action: 'unstake', stakedTokenId: TOKEN }, (tx, system) =>
      build.requestWithdrawStake(config, system, tx.objectRef(reference(TOKEN)), tx),
    )
    await verify({ action: 'withdraw', stakedTokenId: TOKEN }, (tx, system) =>
      tx.transferObjects([build.withdrawStake(config, system, tx.objectRef(reference(TOKEN)), tx)], SENDER),
    )
  }
})
