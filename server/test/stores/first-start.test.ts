import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@stakewright/client'
import { stakeInSandbox } from '../support/holdings.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'

const AMOUNT = '900000000000000'
/** Epochs between answers: enough that the last ranges are computed from projection errors after the start. */
const STEP = 5

async function sandboxAgent(app: TestApp): Promise<Client> {
  const { data } = await app.client().sandboxKey({ agentName: 'looks around' })
  return app.client({ apiKey: data.apiKey })
}

/** Validators, scores, history, and projections with ranges that are computed from past errors. */
async function answersOf(agent: Client) {
  const { data } = await agent.validators()
  const validatorId = data[0]?.id ?? ''
  return {
    data,
    scored: await agent.scoredValidators(),
    history: await agent.validatorApyHistory({ id: validatorId }),
    allocated: await agent.allocate({ amount: AMOUNT, maxValidators: 5 }),
    accuracy: await agent.accuracy(),
  }
}

/** The answers at the start, and after each of three steps. */
async function answersOverTime(app: TestApp): Promise<readonly unknown[]> {
  const agent = await sandboxAgent(app)
  const answers = [await answersOf(agent)]
  for (const _ of [1, 2, 3]) {
    await agent.sandboxAdvance({ epochs: STEP })
    await app.runJob('watch-network')
    answers.push(await answersOf(agent))
  }
  return answers
}

test('a service that shares the founded state of an earlier start answers as one that loads it from its own store', async () => {
  await using first = await openTestApp()
  const agent = await sandboxAgent(first)
  const { data } = await agent.validators({ status: 'active' })
  for (const { id } of data.slice(0, 3)) {
    await stakeInSandbox(agent, id, '30000000000000000')
    await agent.sandboxAdvance({ epochs: STEP })
    await first.runJob('watch-network')
    await answersOf(agent)
  }
  await using second = await openTestApp()
  await using copied = await openTestApp()
  await copied.stop()
  await using alone = await openTestApp({ folder: copied.folder })
  assert.deepEqual(await answersOverTime(second), await answersOverTime(alone))
})
