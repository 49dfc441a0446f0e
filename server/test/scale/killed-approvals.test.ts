import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApprovalNeeded, createClient, StakewrightError } from '@stakewright/client'
import { ME } from '../support/holdings.ts'
import { crashRounds } from '../support/repetitions.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { isCut } from './support/is-cut.ts'
import {
  manage,
  openServices,
  registerAgent,
  type Services,
  untilServed,
  writePolicy,
} from './support/services.ts'

const ROUNDS = crashRounds(2)
/** Each round starts two processes, which takes long on a busy machine. */
const PATIENCE = { timeout: (ROUNDS + 1) * 60_000 }
const USES = 4
const RULES = [
  { rule: 'actions', allow: ['stake'] },
  { rule: 'approvalAbove', amount: '1' },
]

/** Requests a build until it is refused with the approval that it needs. Retries when the store was too late (503). */
async function neededApproval(build: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const error = await build().catch((reason: unknown) => reason)
    if (error instanceof ApprovalNeeded) return error.approval.approvalId
    assert(isCut(error), String(error))
  }
}

type Outcome = { readonly kind: 'built'; readonly intentId: string } | { readonly kind: 'refused' | 'unsure' }

async function outcomeOf(build: Promise<{ readonly intentId: string }>): Promise<Outcome> {
  try {
    return { kind: 'built', intentId: (await build).intentId }
  } catch (error) {
    if (isCut(error)) return { kind: 'unsure' }
    assert(error instanceof StakewrightError && error.code === 'forbidden', String(error))
    return { kind: 'refused' }
  }
}

/** Approves on one instance, kills it at once, and uses the approval while another one is killed. */
async function approveAndKill(group: Services): Promise<void> {
  const agent = await registerAgent(group.urls[0])
  await writePolicy(group.urls[0], agent.id, RULES)
  const keyAt = (url: string) => createClient({ baseUrl: url, apiKey: agent.apiKey, retries: 0 })
  const list = await keyAt(group.urls[0]).validators()
  const validatorId = list.data.find(({ status }) => status === 'active')?.id ?? ''
  let running = [...group.services]
  for (let round = 1; round <= ROUNDS; round += 1) {
    const [first, ...others] = running
    assert(first)
    const wish = { validatorId, amount: `${round}0000000000`, sender: ME }
    const approvalId = await neededApproval(() => keyAt(first.url).buildStake(wish))
    const decision = { decision: 'approve' }
    const path = `${agent.id}/approvals`
    const decided = await untilServed(() => manage(first.url, `POST ${path}/${approvalId}`, decision))
    assert.equal(decided.status, 200, decided.text)
    await first.end('SIGKILL')
    running = [...others, await group.add()]
    const use = (url: string) => outcomeOf(keyAt(url).buildStake({ ...wish, approvalId }))
    const [killed, survivor] = running
    assert(killed && survivor)
    const uses = Array.from({ length: USES }, () => [use(killed.url), use(survivor.url)]).flat()
    // All uses were started together: at the first outcome the others are in flight or done.
    await Promise.race(uses)
    await killed.end('SIGKILL')
    const outcomes = await Promise.all(uses)
    running = [survivor, await group.add()]
    while (outcomes.at(-1)?.kind !== 'refused') outcomes.push(await use(survivor.url))
    const built = outcomes.filter(({ kind }) => kind === 'built')
    assert(built.length <= 1, 'an approval is used at most once')
    const isUnsure = outcomes.some(({ kind }) => kind === 'unsure')
    assert(built.length === 1 || isUnsure, 'the approval is not lost')
    const { data } = JSON.parse((await untilServed(() => manage(survivor.url, `GET ${path}`))).text)
    assert.equal(data[0].state, 'used')
    if (built[0]?.kind === 'built') assert.equal(data[0].intentId, built[0].intentId)
  }
}

test(
  `${ROUNDS} × kill -9 after an approval and during its use: the approval is not lost, and used only once`,
  PATIENCE,
  async () => {
    await using database = await migratedDatabase()
    await using group = await openServices(2, { DATABASE_URL: database.url })
    await approveAndKill(group)
  },
)
