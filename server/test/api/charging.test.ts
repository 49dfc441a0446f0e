import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { CASES, type ChargingCase } from '../limits/charging-cases.ts'
import { type Audit, readAuditOf } from '../limits/read-audit.ts'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { openTestApp, type TestApp } from '../support/test-app.ts'
import { askStore } from '../support/test-store.ts'

const DOCUMENT = join(import.meta.dirname, '../../../docs/limits.md')
const IP_LIMIT = 3

type Measured = {
  readonly status: number
  readonly quota: number
  readonly address: string
  readonly from: string
}

/** Sends the request of the case from its own address, and measures what it is charged. */
async function measure(app: TestApp, charging: ChargingCase, place: number): Promise<Measured> {
  const from = `10.0.${place}.7`
  const agent = await admitAgent(app, charging.limits && { rateLimits: charging.limits })
  const user = `user-${place}@example.com`
  const token = await userToken(app, user)
  const admin = app.client({ token: await userToken(app, 'admin@example.com', 'admin') })
  const send = (path: string, init: RequestInit = {}) =>
    fetch(app.url + path, { ...init, headers: { 'x-forwarded-for': from, ...init.headers } })
  const pass = async () => (await send('/api/v1/staking/price')).status !== 429

  if (charging.after === 'revoked') await admin.revokeAgent({ id: agent.id })
  if (charging.after === 'address used up') while (await pass());
  if (charging.after === 'data too old') app.clock.advance(901_000)
  const headers = { 'content-type': 'application/json', ...charging.as?.(agent, token) }
  const { method = 'GET', body = null } = charging
  const { status } = await send(charging.path, { method, headers, body })
  const quota = await usedBy(app.folder, agent.id, user)

  let rest = 0
  while (await pass()) rest += 1
  const counted = IP_LIMIT - rest
  return {
    status,
    quota,
    address: charging.after === 'address used up' ? 'over' : signed(counted),
    from: `10.0.${place}.0`,
  }
}

/** The charges of the agent and the user together: neither has sent any other request. */
async function usedBy(folder: string, agentId: string, email: string): Promise<number> {
  const [agent] = await askStore(
    folder,
    `select minute_used as used, day_used from agent_activity join agents on no = agent_no where id = '${agentId}'`,
  )
  const [user] = await askStore(
    folder,
    `select minute_used as used, day_used from user_activity where user_id like '%${email}'`,
  )
  for (const row of [agent, user]) assert.equal(row?.['used'], row?.['day_used'])
  return Number(agent?.['used'] ?? 0) + Number(user?.['used'] ?? 0)
}

const signed = (count: number) => (count === 0 ? '–' : `+${count}`)

/** How the log has the request of the case, apart from the requests that measured the address. */
function loggedAs({ admitted, refusals }: Audit, charging: ChargingCase, from: string): string {
  if (admitted.some(([, , , endpoint, address]) => address === from && endpoint !== 'price'))
    return 'one by one'
  // A throttled request is refused before its route is found.
  const isThrottled = charging.after === 'address used up'
  const refused = refusals.find(
    ([, endpoint, status, address]) =>
      address === from && (isThrottled || !(status === 429 && endpoint === '(none)')),
  )
  if (!refused) return '–'
  assert.equal(refused[2], charging.status, charging.request)
  return 'summed'
}

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

test('docs/limits.md has the measured charge of each kind of request', async () => {
  await using folder = await tempFolder()
  const measured: Measured[] = []
  {
    const env = { TRUST_PROXY_HOPS: '1', LIMIT_IP_RPM: String(IP_LIMIT) }
    await using app = await openTestApp({ env, folder: folder.path })
    for (const [place, charging] of CASES.entries()) {
      // The agents are all registered from one address, whose limit per minute must not be used up.
      app.clock.advance(60_000)
      await app.runJob('watch-network')
      measured.push(await measure(app, charging, place))
    }
  }
  const audit = await readAuditOf(folder.path)
  const table = CASES.map((charging, place) => {
    const { status, quota, address, from } = measured[place] ?? assert.fail()
    assert.equal(status, charging.status, charging.request)
    return row([charging.request, String(status), signed(quota), address, loggedAs(audit, charging, from)])
  })
  const documented = (await readFile(DOCUMENT, 'utf8')).replaceAll(/ +/g, ' ')
  assert(documented.includes(table.join('\n')), `docs/limits.md must have this table:\n${table.join('\n')}`)
})
