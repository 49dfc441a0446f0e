import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { verifyAudit } from '../../server/src/adapters/sql/sqlite/audit/verify.ts'
import { crashRounds } from '../../server/test/support/repetitions.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { countRequests } from './counted-requests.ts'
import { admitLiveAgent } from './live-agent.ts'
import { startService } from './service-process.ts'

const ROUNDS = crashRounds(8)
const IN_FLIGHT = 16

/** Sends one request. True if it was answered with 200, false if the service died first. */
function ask(url: string, apiKey: string, agent: Agent): Promise<boolean> {
  return new Promise((resolve) => {
    const headers = { 'x-api-key': apiKey }
    get(`${url}/api/v1/staking/agent/usage`, { agent, headers }, (response) => {
      response.resume()
      response.on('error', () => {})
      response.on('close', () => resolve(response.complete && response.statusCode === 200))
    }).on('error', () => resolve(false))
  })
}

/** Keeps `IN_FLIGHT` requests running and kills the service after `after` answers. Returns the number of answers. */
async function loadAndKill(env: Record<string, string>, apiKey: string, after: number): Promise<number> {
  await using service = await startService(env)
  const agent = new Agent({ keepAlive: true, maxSockets: IN_FLIGHT })
  let answered = 0
  const load = async () => {
    while (await ask(service.url, apiKey, agent)) {
      answered += 1
      if (answered === after) service.child.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, load))
  agent.destroy()
  assert.equal(await service.end('SIGKILL'), 'SIGKILL')
  return answered
}

test(`${ROUNDS} × kill -9 under load: every answered request is charged and in the audit log, and the log is intact`, async () => {
  await using folder = await tempFolder()
  const env = {
    DATA_DIR: folder.path,
    LIMIT_IP_RPM: '1000000',
    LIMIT_GLOBAL_RPM: '1000000',
    LOG_LEVEL: 'error',
  }
  let apiKey: string
  {
    await using service = await startService(env)
    apiKey = (await admitLiveAgent(service.url, folder.path)).apiKey
    await service.end('SIGTERM')
  }
  let answered = 0
  for (let round = 1; round <= ROUNDS; round += 1) {
    answered += await loadAndKill(env, apiKey, 20 + 7 * round)
    const { logged, charged } = countRequests(folder.path)
    assert.equal(charged, logged)
    assert(
      logged >= answered && logged <= answered + round * IN_FLIGHT,
      `${logged} logged, ${answered} answered`,
    )
    const verdict = await verifyAudit(folder.path)
    assert.equal(verdict.kind, 'intact', JSON.stringify(verdict))
  }
})
