/**
 * The life of an agent, from its registration to the last coin paid out, on the simulated chain.
 *
 *   npm run example                        starts a service of its own, and stops it at the end
 *   npm run example -- URL [DATA_DIR]      uses a running service; DATA_DIR has its outbox of mails (default ./data)
 *
 * It uses only the client. Every amount is a whole number of smallest units, as a string.
 */
import assert from 'node:assert/strict'
import { type Client, createClient, type Reply } from '@stakewright/client'
import { findInMail } from './mail-folder.ts'
import { type Service, startOwnService } from './own-service.ts'
import { type EndedStake, expectedPayout } from './payout-model.ts'

const AMOUNT = '1000000000000'
const WALLET = `0x${'a9'.repeat(32)}`
const VERIFY_LINK = /\/verify\?token=([0-9a-f]{64})/
const SIGN_IN_CODE = /^ {4}(\d{6})\r?$/m

type Built = Pick<Reply<'buildStake'>, 'commands' | 'intent'>
type Position = Reply<'positions'>['positions'][number]

const say = (line: string) => console.log(line)
const chapter = (title: string) => say(`\n${title}`)
const shown = (amount: string | bigint) =>
  `${(Number(amount) / 1e9).toLocaleString('en', { maximumFractionDigits: 9 })} SBX`
const short = (id: string) => `${id.slice(0, 8)}…`

const [url, dataDir = 'data'] = process.argv.slice(2)
const given = { dataDir, [Symbol.asyncDispose]: async () => {} }
await using service: Service = url ? { url, ...given } : await startOwnService()
say(`Talking to ${service.url}`)

const email = `agent-${Date.now()}@example.com`
const agent = await register()
await choose(agent)
const staked = await stakeAll(agent)
const builder = await becomeBuilder()
await live(builder, staked)
const ended = await askBack(builder)
await cashIn(builder, ended)
say('\nEvery payout was what the exchange rates say, to the unit.')

async function register(): Promise<Client> {
  chapter('1. The agent registers, and proves its address')
  const anybody = createClient({ baseUrl: service.url })
  const { data } = await anybody.selfRegister({ agentName: 'life-of-an-agent', email })
  say(`   got a key, ${data.keyPrefix}…; it works once the address is verified`)
  await anybody.verifyEmail({ token: await findInMail(service.dataDir, email, VERIFY_LINK) })
  say(`   ${email} is verified`)
  return createClient({ baseUrl: service.url, apiKey: data.apiKey })
}

async function choose(client: Client): Promise<void> {
  chapter('2. It looks around')
  const { validators, epoch } = await client.scoredValidators()
  say(`   epoch ${epoch}; the best of ${validators.length} validators it can see:`)
  for (const { name, score, apy } of validators.slice(0, 3)) {
    say(`   · ${name}: score ${score}, ${apy?.toFixed(2)}% a year`)
  }
}

async function stakeAll(client: Client): Promise<number> {
  chapter(`3. It stakes ${shown(AMOUNT)}, split as the service advises`)
  const { allocations, totalProjectedApy } = await client.allocate({
    amount: AMOUNT,
    maxValidators: 2,
    maxShare: 0.6,
  })
  assert.equal(sum(allocations.map(({ amount }) => amount)), BigInt(AMOUNT), 'not one unit is lost')
  let activeAt = 0
  for (const { validatorId, amount } of allocations) {
    const built = await client.buildStake({ validatorId, amount, sender: WALLET })
    say(`   ${built.summary}`)
    const { created } = await execute(client, built)
    assert.equal(created[0]?.activationEpoch, built.availableAtEpoch, 'it is active when it was said to be')
    activeAt = Math.max(activeAt, built.availableAtEpoch)
  }
  say(`   together they are expected to earn ${totalProjectedApy.toFixed(2)}% a year`)
  return activeAt
}

/** Rebalancing needs the builder tier, and only a signed-in user can have that. */
async function becomeBuilder(): Promise<Client> {
  chapter('4. Its owner signs in, and registers a builder key')
  const anybody = createClient({ baseUrl: service.url })
  await anybody.requestCode({ email })
  const code = await findInMail(service.dataDir, email, SIGN_IN_CODE)
  const { data: signedIn } = await anybody.exchangeCode({ email, code })
  const owner = createClient({ baseUrl: service.url, token: signedIn.accessToken })
  const { data } = await owner.registerAgent({ agentName: 'life-of-a-builder', tier: 'builder' })
  say(`   ${data.keyPrefix}… may make ${data.rateLimits.rpm} requests a minute`)
  return createClient({ baseUrl: service.url, apiKey: data.apiKey })
}

async function live(client: Client, activeAt: number): Promise<void> {
  chapter('5. Time passes')
  const { epoch } = await client.epoch()
  await client.sandboxAdvance({ epochs: activeAt - epoch + 5 })
  const positions = await positionsOf(client)
  for (const { validatorId, principal, rewards, state } of positions) {
    say(`   · ${shown(principal)} with ${short(validatorId)} is ${state} and has earned ${shown(rewards)}`)
  }
  const held = positions.map(({ stakedTokenId, validatorId, principal }) => ({
    stakedTokenId,
    validatorId,
    principal,
  }))
  const { summary, steps } = await client.planRebalance({ positions: held })
  say(`   should it move? ${summary.recommendation}, in ${steps.length} steps: ${summary.reason}`)
}

/** Unstakes all of one stake, and half of the next. */
async function askBack(client: Client): Promise<readonly EndedStake[]> {
  chapter('6. It asks for its stake back')
  const [whole, other] = await positionsOf(client)
  assert(whole)
  const requests = [
    { token: whole, part: undefined },
    ...(other ? [{ token: other, part: half(other) }] : []),
  ]
  const asked: EndedStake[] = []
  for (const { token, part } of requests) {
    const { stakedTokenId } = token
    const built = await client.buildUnstake({ stakedTokenId, sender: WALLET, ...(part && { amount: part }) })
    say(`   ${built.summary}`)
    const { changed } = await execute(client, built)
    const requested = changed.find(({ withdrawEpoch }) => withdrawEpoch !== null)
    assert.equal(requested?.withdrawEpoch, built.availableAtEpoch, 'it is free when it was said to be')
    asked.push({
      ...endedOf(token),
      principal: BigInt(part ?? token.principal),
      withdrawEpoch: built.availableAtEpoch,
    })
  }
  return asked
}

async function cashIn(client: Client, stakes: readonly EndedStake[]): Promise<void> {
  chapter('7. It waits until they are free, and takes the coins')
  const { epoch } = await client.epoch()
  const free = Math.max(...stakes.map(({ withdrawEpoch }) => withdrawEpoch))
  await client.sandboxAdvance({ epochs: free - epoch })
  const due = (await positionsOf(client)).filter(
    ({ next, state }) => state === 'withdrawable' && next === 'withdraw',
  )
  assert.equal(due.length, stakes.length)
  for (const token of due) {
    const built = await client.buildWithdraw({ stakedTokenId: token.stakedTokenId, sender: WALLET })
    const { coinsPaidOut } = await execute(client, built)
    const expected = await expectedPayout(client, {
      ...endedOf(token),
      withdrawEpoch: token.withdrawEpoch ?? 0,
    })
    say(`   staked ${token.principal}, expected ${expected}, paid ${coinsPaidOut}`)
    assert.equal(BigInt(coinsPaidOut), expected, 'the payout is what the exchange rates say')
  }
}

function endedOf({ validatorId, principal, activationEpoch }: Position) {
  return { validatorId, principal: BigInt(principal), activationEpoch }
}

function half({ principal }: Position): string {
  return String(BigInt(principal) / 2n)
}

function sum(amounts: readonly string[]): bigint {
  return amounts.reduce((total, amount) => total + BigInt(amount), 0n)
}

async function positionsOf(client: Client): Promise<readonly Position[]> {
  const { positions } = await client.positions({ owner: WALLET })
  return positions
}

async function execute(client: Client, { commands, intent }: Built) {
  const result = await client.sandboxExecute({ sender: WALLET, commands, intent })
  assert.equal(result.status, 'done', result.abort?.message ?? 'it was not done')
  return result
}
