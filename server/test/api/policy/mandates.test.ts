import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Client, Input } from '@stakewright/client'
import { ADMIN } from '../../support/builder-agent.ts'
import { ME, TEN } from '../../support/holdings.ts'
import { signIn } from '../../support/registered-agent.ts'
import { openTestApp } from '../../support/test-app.ts'
import { brokenRules } from '../refused.ts'

const DOCUMENT = new URL('../../../../docs/mandates.md', import.meta.url)
const AMOUNT = '399999999999999'

/** The mandate of this name as the documentation shows it. */
async function mandate(name: string): Promise<Omit<Input<'writePolicy'>, 'id'>> {
  const text = await readFile(DOCUMENT, 'utf8')
  const [, json] = new RegExp(`\\n\`\`\`json ${name}\\n(.*?)\\n\`\`\`\\n`, 's').exec(text) ?? []
  assert(json, `docs/mandates.md has no ${name}`)
  return JSON.parse(json)
}

async function openUnder(name: string) {
  const app = await openTestApp({ env: ADMIN })
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await admin.registerAgent({ agentName: name, tier: 'builder' })
  await admin.writePolicy({ id: data.id, ...(await mandate(name)) })
  const agent = app.client({ apiKey: data.apiKey })
  return { app, agent, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

const brokenBy = async (call: Promise<unknown>) => [...new Set(await brokenRules(call))]

/** The items of the advised allocation, for one transaction. */
async function advisedItems(agent: Client, amount: string, maxValidators: number) {
  const { allocations } = await agent.allocate({ amount, maxValidators, alternatives: false })
  return allocations.map((one) => ({
    action: 'stake' as const,
    validatorId: one.validatorId,
    amount: one.amount,
  }))
}

test('a careful treasury builds the advised spread, from its own sender, within a day’s amount, in office hours, until the year ends', async () => {
  await using opened = await openUnder('careful-treasury')
  const { app, agent } = opened
  const { rules } = await mandate('careful-treasury')
  const sender = rules.flatMap((rule) => (rule.rule === 'senders' ? rule.allow : []))[0] ?? ''
  const items = await advisedItems(agent, AMOUNT, 5)
  assert(items.length >= 4)
  assert.deepEqual(await brokenBy(agent.buildBatch({ items, sender: ME })), ['senders'])
  await agent.buildBatch({ items, sender })
  const [first] = items
  assert(first)
  assert.deepEqual(await brokenBy(agent.buildStake({ ...toStake(first), sender })), ['maxShare'])
  const doubled = items.map((item) => ({ ...item, amount: String(BigInt(item.amount) * 2n) }))
  const simulated = await agent.simulatePolicy({ items: doubled, sender })
  assert.deepEqual(
    simulated.broken.map(({ rule }) => rule),
    ['maxPerTx', 'maxPerWindow'],
  )
  await agent.buildBatch({ items, sender })
  assert.deepEqual(await brokenBy(agent.buildBatch({ items, sender })), ['maxPerWindow'])
  const brokenAt = async (moment: string) => {
    app.clock.set(Date.parse(moment))
    await app.runJob('watch-network')
    const { broken } = await agent.simulatePolicy({ items, sender })
    return broken.map(({ rule }) => rule).filter((rule) => rule === 'hours' || rule === 'expires')
  }
  assert.deepEqual(await brokenAt('2026-06-15T20:00:00Z'), ['hours'])
  assert.deepEqual(await brokenAt('2026-12-31T12:00:00Z'), [])
  assert.deepEqual(await brokenAt('2027-01-01T12:00:00Z'), ['expires'])
})

test('a yield seeker puts all with one validator, up to the amount of an epoch', async () => {
  await using opened = await openUnder('yield-seeker')
  const { agent } = opened
  const [best] = await advisedItems(agent, '1500000000000000', 1)
  assert(best)
  await agent.buildStake({ ...toStake(best), sender: ME })
  assert.deepEqual(await brokenBy(agent.buildStake({ ...toStake(best), sender: ME })), ['maxPerWindow'])
})

test('an analyst that only reads is advised, and builds nothing', async () => {
  await using opened = await openUnder('read-only-analyst')
  const { agent } = opened
  const [best] = await advisedItems(agent, AMOUNT, 1)
  assert(best)
  assert.deepEqual(await brokenBy(agent.buildStake({ ...toStake(best), amount: TEN })), ['actions'])
})

const toStake = ({ validatorId, amount }: { validatorId: string; amount: string }) => ({
  validatorId,
  amount,
})
