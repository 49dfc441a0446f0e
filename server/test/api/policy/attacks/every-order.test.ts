import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Player, playOrder, RULE_OF } from '../../../policy/orders/order-game.ts'
import { KNOWN_LIVES, type Life, lives } from '../../../policy/orders/order-steps.ts'
import { ADMIN, clientOfTier } from '../../../support/builder-agent.ts'
import { signIn } from '../../../support/registered-agent.ts'
import { runs } from '../../../support/repetitions.ts'
import { openTestApp, type TestApp } from '../../../support/test-app.ts'

const SEED = 20_260_101
const ALWAYS = [{ rule: 'actions', allow: ['stake', 'unstake', 'withdraw', 'join'] }] as const
const HUNDRED = '100000000000'
const ROOM = {
  ...ADMIN,
  LIMIT_IP_RPM: '1000000',
  LIMIT_GLOBAL_RPM: '1000000',
  LIMIT_AGENTS_PER_OWNER: '100000',
  SANDBOX_EPOCH_MS: '864000000',
}

/** For each life: a wallet with six tokens, three of which can be joined, and a key under its rules. */
async function openPlayers(app: TestApp, lives: readonly Life[]): Promise<readonly Player[]> {
  const free = await clientOfTier(app, 'enterprise')
  const admin = app.client({ token: await signIn(app, 'root@example.com') })
  const { data } = await free.validators({ status: 'active', limit: 5 })
  const validators = data.map(({ id }) => id)
  const [a = '', b = '', c = '', d = ''] = validators
  const items = [a, a, a, b, c, d].map((validatorId) => ({
    action: 'stake' as const,
    validatorId,
    amount: HUNDRED,
  }))
  const players: Player[] = []
  for (const [at, { rules }] of lives.entries()) {
    // Stays below the user's limit of requests per minute.
    app.clock.advance(2_000)
    const sender = `0x${(at + 1).toString(16).padStart(64, '7')}`
    const { commands } = await free.buildBatch({ items, sender })
    const { created } = await free.sandboxExecute({ sender, commands })
    assert.equal(created.length, items.length)
    const { data: agent } = await admin.registerAgent({ agentName: `agent ${at}`, tier: 'enterprise' })
    const held = [...ALWAYS, { rule: 'senders', allow: [sender] } as const]
    await admin.writePolicy({ id: agent.id, rules: [...held, ...rules.map((name) => RULE_OF[name])] })
    const tokens = created.map(({ stakedTokenId }) => stakedTokenId)
    players.push({ app, key: app.client({ apiKey: agent.apiKey }), sender, validators, tokens })
  }
  await free.sandboxAdvance({ epochs: 2 })
  return players
}

/** Plays all lives and returns how many transactions were carried out. */
async function liveAll(lives: readonly Life[]): Promise<number> {
  await using app = await openTestApp({ env: ROOM })
  let carriedOut = 0
  for (const [at, player] of (await openPlayers(app, lives)).entries()) {
    const life = lives[at]
    assert(life)
    const broken = (cause: unknown) => assert.fail(`${cause} by ${JSON.stringify(life)}`)
    carriedOut += await playOrder(player, life).catch(broken)
  }
  return carriedOut
}

test('403: a token in two transactions cannot be used to exceed a limit', async () => {
  assert((await liveAll(KNOWN_LIVES)) > 0)
})

test('200: in whatever order built transactions are carried out, the chain never shows a broken rule', async () => {
  const random = fc.sample(lives, { ...runs(15), seed: SEED })
  const carriedOut = await liveAll(random)
  assert(carriedOut > random.length, `${carriedOut} transactions in ${random.length} lives`)
})
