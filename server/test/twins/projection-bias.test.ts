import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foundWorld } from '#adapters/sandbox/world/genesis.ts'
import { rewardOf } from '#domain/staking/solver/reward-curve.ts'
import { curveAt, stakeOptionsOf } from '#domain/staking/stake-options.ts'
import { viewOf } from './follow-plan.ts'
import { memoryChain } from './memory-chain.ts'
import { soon } from './random-holders.ts'

const EPOCH_MS = 600_000
const EPOCHS = 60
const SEEDS = 12

/** Relative projection error of every eligible validator: growth of its exchange rate / projected growth − 1. */
async function errorsOf(seed: number): Promise<readonly number[]> {
  const chain = memoryChain(foundWorld(seed, EPOCH_MS, Date.UTC(2026, 0, 1)), EPOCH_MS)
  // New stake earns from the next epoch on; the projection assumes that this epoch has begun.
  await chain.advance(1)
  const { snapshot, scored } = await viewOf(chain)
  const { pool, options } = stakeOptionsOf(snapshot, scored)
  const from = snapshot.epoch.number
  await chain.advance(EPOCHS)
  const records = await chain.readEpochs(from - 1, soon())
  const byValidator = Map.groupBy(records, ({ validatorId }) => validatorId)
  return options.flatMap((option) => {
    const rates = byValidator
      .get(option.validatorId)
      ?.map(({ rate }) => Number(rate.tokens) / Number(rate.shares))
    const [first, last] = [rates?.at(0), rates?.at(-1)]
    if (!option.eligible || first === undefined || last === undefined) return []
    const curve = curveAt(pool, option, Number(option.stake), pool.totalStake)
    const projected = (rewardOf(curve, 1) / pool.epochsPerYear) * EPOCHS
    return [(last / first - 1) / projected - 1]
  })
}

test('projected yields have no bias in the sandbox: the mean error over seeds and validators is below 0.3%', async (t) => {
  const errors: number[] = []
  for (let seed = 1; seed <= SEEDS; seed++) errors.push(...(await errorsOf(seed)))
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  const deviation = Math.sqrt(errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / errors.length)
  t.diagnostic(
    `${errors.length} projections over ${EPOCHS} epochs: mean error ${(100 * mean).toFixed(3)} %, deviation ${(100 * deviation).toFixed(2)} %`,
  )
  assert(Math.abs(mean) < 0.003, `${mean}`)
})
