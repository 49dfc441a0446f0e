import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceProcess } from '../../../test/e2e/service-process.ts'
import { sendRaw } from '../support/raw-request.ts'
import { readMails } from '../support/services/mail-files.ts'
import { migratedDatabase } from '../support/services/test-postgres.ts'
import { until } from '../support/until.ts'
import { holdsLease, openServices, untilServed } from './support/services.ts'

const TAKEOVER_MS = 10_000

const isLeader = (service: ServiceProcess) => holdsLease(service, 'jobs')

const hasLed = (service: ServiceProcess) => /"lease taken".*"lease":"jobs"/.test(service.output())

/** How often an instance has run a job. */
async function runsOf({ url }: ServiceProcess, job: string): Promise<number> {
  const { text } = await sendRaw(url, 'GET /metrics')
  const counts = text.matchAll(new RegExp(`_count\\{task="${job}",outcome="\\w+"\\} (\\d+)`, 'g'))
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/**
 * Compares a job for the leader with one that each instance runs. Both have an interval of one second, and the timer of
 * the former starts first.
 */
async function onlyLeadersDeliver(services: readonly ServiceProcess[]): Promise<void> {
  for (const service of services) {
    await until(async () => (await runsOf(service, 'update-breaker')) >= 3)
    const delivered = await runsOf(service, 'deliver-mail')
    // Asked last, because the instance may take the lease at any time.
    if (!hasLed(service)) assert.equal(delivered, 0, 'it has never held the lease')
  }
}

async function selfRegister(url: string, email: string): Promise<void> {
  const json = { email, agentName: 'stranger' }
  const answer = await untilServed(() => sendRaw(url, 'POST /api/v1/agents/self-register', { json }))
  assert.equal(answer.status, 201)
}

test('one instance runs the jobs for the leader, and another takes over within ten seconds after it was killed', async (t) => {
  await using database = await migratedDatabase()
  const env = { DATABASE_URL: database.url, LOG_LEVEL: 'info', LIMIT_REGISTER_IP_HOUR: '100' }
  await using group = await openServices(3, env)
  const { services, urls, folder } = group
  // Distinct addresses, because a registration that was answered with 503 is retried although it may have been done.
  const mailed = async () => new Set((await readMails(folder)).map(({ to }) => to)).size
  for (let round = 0; round < 3; round += 1) await selfRegister(urls[0], `someone${round}@example.com`)
  await until(async () => (await mailed()) === 3)
  // The log line comes a moment after the lease is taken.
  await until(() => services.some(isLeader))
  const leaders = services.filter(isLeader)
  assert.equal(leaders.length, 1)
  const [leader] = leaders
  assert(leader)
  await onlyLeadersDeliver(services)

  const others = services.filter((service) => service !== leader)
  await leader.end('SIGKILL')
  const killedAt = performance.now()
  await selfRegister(others[0]?.url ?? '', 'later@example.com')
  await until(async () => (await mailed()) === 4)
  const tookMs = performance.now() - killedAt
  t.diagnostic(`the next instance had delivered after ${Math.round(tookMs)} ms`)
  assert(tookMs < TAKEOVER_MS, `${tookMs} ms`)
  await until(() => others.some(isLeader))
  assert.equal(others.filter(isLeader).length, 1)
  assert.equal(await mailed(), 4)
  await onlyLeadersDeliver(others)
})
