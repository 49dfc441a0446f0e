import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { type ServiceProcess, startService } from '../../../../test/e2e/service-process.ts'
import { type RawAnswer, sendRaw } from '../../support/raw-request.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { adminToken, SECRETS } from './admin-token.ts'

const PLENTY = { LIMIT_IP_RPM: '1000000', LIMIT_GLOBAL_RPM: '1000000', LOG_LEVEL: 'warn' }
const ASK_AGAIN_MS = 10
export const METADATA = '/api/v1/staking/agent/metadata'

export type Services = AsyncDisposable & {
  readonly services: readonly [ServiceProcess, ...ServiceProcess[]]
  readonly urls: readonly [string, ...string[]]
  /** Data folder, where mails are written as files. */
  readonly folder: string
  /** Starts one more instance. */
  add(): Promise<ServiceProcess>
}

/** Starts real processes of the service on one shared store. */
export async function openServices(count: number, env: Readonly<Record<string, string>>): Promise<Services> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const variables = { ...SECRETS, ...PLENTY, DATA_DIR: folder.path, ...env }
  const add = async () => opened.use(await startService(variables))
  const [first, ...others] = await Promise.all(Array.from({ length: count }, add))
  assert(first)
  const resources = opened.move()
  return {
    services: [first, ...others],
    urls: [first.url, ...others.map(({ url }) => url)],
    folder: folder.path,
    async add() {
      return resources.use(await startService(variables))
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export type KnownAgent = { readonly id: string; readonly apiKey: string }

let admins = 0

/**
 * Calls a management endpoint. On a new connection, because a request on a kept connection that is just being closed
 * cannot be retried safely; and as a different administrator each time, because one alone would reach a rate limit.
 */
export async function manage(
  url: string,
  route: `${string} ${string}`,
  json?: object,
  now = Date.now(),
): Promise<RawAnswer> {
  const [method = '', path = ''] = route.split(' ')
  admins += 1
  const headers = ['Authorization', `Bearer ${await adminToken(`admin${admins % 20}@example.com`, now)}`]
  return sendRaw(url, `${method} /api/v1/agents/${path}`, { headers, ...(json && { json }) })
}

/** Retries while the answer is 503, which a store on a busy machine may cause; the call may have been done or not. */
export async function untilServed<T extends { readonly status: number }>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 503) return answer
    await setTimeout(ASK_AGAIN_MS)
  }
}

export async function registerAgent(
  url: string,
  rateLimits = { rpm: 1_000_000, rpd: 100_000_000 },
): Promise<KnownAgent> {
  const agent = { agentName: 'scout', tier: 'enterprise', email: 'ann@example.com', rateLimits }
  const answer = await untilServed(() => manage(url, 'POST register', agent))
  assert.equal(answer.status, 201)
  return toAgent(answer)
}

/** Writes an agent's first policy. A repeat after a 503 is refused if the first request was carried out after all. */
export async function writePolicy(url: string, agentId: string, rules: readonly object[]): Promise<void> {
  const path = `${agentId}/policy`
  for (;;) {
    const written = await manage(url, `PUT ${path}`, { rules })
    if (written.status === 200) return
    const present = await untilServed(() => manage(url, `GET ${path}`))
    if (present.status === 200 && JSON.parse(present.text).data?.revision === 1) return
    assert.equal(written.status, 503, written.text)
  }
}

/** The cast holds by the contract: registering and rotating both answer with these fields. */
export function toAgent({ text }: RawAnswer): KnownAgent {
  return (JSON.parse(text) as { data: KnownAgent }).data
}

export async function statusOf(url: string, apiKey: string, headers: Readonly<Record<string, string>> = {}) {
  const ask = () => fetch(url + METADATA, { headers: { 'x-api-key': apiKey, ...headers } })
  // Retried, because an idle keep-alive connection may be closed just when it is reused.
  const response = await ask().catch(ask)
  await response.arrayBuffer()
  return response.status
}

/** The first status other than 503. */
export const servedStatusOf = async (url: string, apiKey: string): Promise<number> =>
  (await untilServed(async () => ({ status: await statusOf(url, apiKey) }))).status

/** Whether the last log line of the service about the lease says that it holds it. */
export function holdsLease(service: ServiceProcess, lease: 'jobs' | `chain ${string}`): boolean {
  const lines = service.output().split('\n')
  const last = lines.filter((line) => line.includes(`"lease":"${lease}"`)).at(-1)
  return last?.includes('"lease taken"') ?? false
}
