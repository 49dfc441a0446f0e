import { LIMITS } from '@stakewright/contract/limits'
import type { Config } from '@stakewright/server/config.ts'
import type { Operator } from '@stakewright/server/operator/operator.ts'
import { Misuse, Refusal, type Result, type Terminal } from '../command.ts'
import { localUrl } from '../profiles.ts'
import { readOptions } from '../read-options.ts'
import { agentTable } from './agent-table.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

type AdminCall = {
  readonly ids: readonly string[]
  readonly email: string | undefined
  readonly url: string | undefined
  readonly all: boolean
}

type Action = (call: AdminCall, config: Config, terminal: Terminal) => Promise<Result>

const ADDRESS = /^[^\s@<>,"]{1,64}@[^\s@<>,"]{3,253}$/
const ENDED: readonly string[] = ['revoked', 'expired']

const ACTIONS = {
  token: async ({ email }, config) => {
    if (email !== undefined && !ADDRESS.test(email))
      throw new Misuse('Say whose token it is with --email ADDRESS, one of ADMIN_EMAILS.')
    const issued = await (await loadTokens()).issueAdminToken(config, email?.toLowerCase())
    const { token, sessionId, expiresInSeconds } = issued
    return {
      data: { accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds, sessionId },
      text: token,
      note: `An admin's token for ${issued.email}: it reads for ${expiresInSeconds / 3_600} hours, and changes things for ${LIMITS.freshSignInMs / 60_000} minutes. Its session is ${sessionId}. Keep it secret.`,
    }
  },
  agents: async (call, config, terminal) => {
    await using operator = await openFor(call, config, terminal)
    const agents = (await operator.listAgents()).filter(({ status }) => call.all || !ENDED.includes(status))
    return { data: agents, text: agentTable(agents, terminal.style) }
  },
  revoke: async (call, config, terminal) => {
    const id = onlyId(call)
    await using operator = await openFor(call, config, terminal)
    const revoked = await operator.revoke(id)
    return { data: { ...revoked, status: 'revoked' }, text: `${id} is revoked since ${revoked.revokedAt}.` }
  },
  suspend: (call, config, terminal) => setStatus('suspended', call, config, terminal),
  resume: (call, config, terminal) => setStatus('active', call, config, terminal),
  'reset-totp': async ({ email }, config) => {
    if (!email || !ADDRESS.test(email)) throw new Misuse('Say whose second factor it is: --email ADDRESS')
    const { resetAdminFactor } = await loadService(
      () => import('@stakewright/server/operator/reset-admin-factor.ts'),
    )
    const address = email.toLowerCase()
    await resetAdminFactor(config, address).catch(refuseRunning)
    return {
      data: { email: address, status: 'reset' },
      text: `The authenticator app of ${address} is removed, and the sessions are ended.`,
    }
  },
} as const satisfies Readonly<Record<string, Action>>

export type AdminAction = keyof typeof ACTIONS

export async function administer(
  action: AdminAction,
  args: readonly string[],
  terminal: Terminal,
): Promise<Result> {
  const call = parse(args)
  return ACTIONS[action](call, await readOperatorConfig(terminal.env), terminal)
}

async function setStatus(
  status: 'active' | 'suspended',
  call: AdminCall,
  config: Config,
  terminal: Terminal,
): Promise<Result> {
  const id = onlyId(call)
  await using operator = await openFor(call, config, terminal)
  const agent = await operator.setStatus(id, status)
  return { data: agent, text: `${id} is ${agent.status}.` }
}

/** Imported on use: the store and its libraries take a second to load, and a wrong command line needs none of them. */
const loadOperator = () => loadService(() => import('@stakewright/server/operator/operator.ts'))
const loadStore = () => loadService(() => import('@stakewright/server/operator/operated-store.ts'))
const loadTokens = () => loadService(() => import('@stakewright/server/operator/issue-token.ts'))

async function openFor({ url }: AdminCall, config: Config, { env }: Terminal): Promise<Operator> {
  if (url === undefined) {
    const { openOperator } = await loadOperator()
    return openOperator(config).catch((error) => refuseInUse(error, localUrl(env)))
  }
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Misuse('--url must be an http or https address.')
  }
  const { remoteOperator } = await import('./remote-operator.ts')
  return remoteOperator(url, await (await loadTokens()).issueAdminToken(config))
}

async function refuseInUse(error: unknown, url: string): Promise<never> {
  const { isStoreInUse } = await loadStore()
  if (!isStoreInUse(error)) throw error
  throw new Refusal(
    'store_in_use',
    error.message,
    `To work through a service that is running, add --url ${url} (its address).`,
  )
}

/** Has no `--url` form, because the API has no such call: an admin must not remove another admin's second factor. */
async function refuseRunning(error: unknown): Promise<never> {
  const { isStoreInUse } = await loadStore()
  if (!isStoreInUse(error)) throw error
  throw new Refusal('store_in_use', error.message, 'Stop the service, do it again, and start the service.')
}

function onlyId({ ids }: AdminCall): string {
  const [id, ...others] = ids
  if (id === undefined || others.length > 0)
    throw new Misuse('Name one agent by its id; "admin agents" lists them.')
  return id
}

function parse(args: readonly string[]): AdminCall {
  const { values, positionals } = readOptions(args, {
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      url: { type: 'string' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean' },
    },
  })
  const { email, url, all } = values
  return { ids: positionals, email, url, all }
}
