import { parseArgs } from 'node:util'
import type { Config } from '@stakewright/server/config.ts'
import type { Operator } from '@stakewright/server/operator/operator.ts'
import { agentTable } from './agent-table.ts'
import { type Command, EXIT, Misuse, type Terminal } from './command.ts'
import { readOperatorConfig } from './operator-config.ts'

type Asked = {
  readonly ids: readonly string[]
  readonly email: string | undefined
  readonly url: string | undefined
  readonly all: boolean
  readonly json: boolean
}

type Action = (asked: Asked, config: Config, terminal: Terminal) => Promise<void>

const ADDRESS = /^[^\s@<>,"]{1,64}@[^\s@<>,"]{3,253}$/
/** Named in tokens that the command line makes for itself. */
const OWN_ADDRESS = 'operator@localhost'
const OVER: readonly string[] = ['revoked', 'expired']

const ACTIONS: Readonly<Record<string, Action>> = {
  token: async ({ email, json }, config, { print, say }) => {
    if (!email || !ADDRESS.test(email)) throw new Misuse('Say whose token it is: --email ADDRESS')
    const { issueAdminToken } = await loadOperator()
    const { token, expiresInSeconds } = await issueAdminToken(config, email.toLowerCase())
    if (json) return print(toJson({ accessToken: token, tokenType: 'Bearer', expiresIn: expiresInSeconds }))
    print(token)
    say(`An admin's token for ${email}, good for ${expiresInSeconds / 3_600} hours. Keep it secret.`)
  },
  agents: async (asked, config, { print }) => {
    await using operator = await openFor(asked, config)
    const agents = (await operator.listAgents()).filter(({ status }) => asked.all || !OVER.includes(status))
    print(asked.json ? toJson(agents) : agentTable(agents))
  },
  revoke: async (asked, config, { print }) => {
    const id = onlyId(asked)
    await using operator = await openFor(asked, config)
    const revoked = await operator.revoke(id)
    print(
      asked.json ? toJson({ ...revoked, status: 'revoked' }) : `${id} is revoked since ${revoked.revokedAt}.`,
    )
  },
  suspend: (asked, config, terminal) => setStatus('suspended', asked, config, terminal),
  resume: (asked, config, terminal) => setStatus('active', asked, config, terminal),
}

export const adminCommand: Command = async ([name = '', ...args], terminal) => {
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined
  if (!action) throw new Misuse(name ? `There is no command "admin ${name}".` : 'Say what to do.')
  const asked = parse(args)
  await action(asked, readOperatorConfig(), terminal)
  return EXIT.done
}

async function setStatus(
  status: 'active' | 'suspended',
  asked: Asked,
  config: Config,
  { print }: Terminal,
): Promise<void> {
  const id = onlyId(asked)
  await using operator = await openFor(asked, config)
  const agent = await operator.setStatus(id, status)
  print(asked.json ? toJson(agent) : `${id} is ${agent.status}.`)
}

/** The store and its libraries take a second to load: a mistake is answered without them. */
const loadOperator = () => import('@stakewright/server/operator/operator.ts')

async function openFor({ url }: Asked, config: Config): Promise<Operator> {
  if (url === undefined) return (await loadOperator()).openOperator(config)
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new Misuse('--url must be an http or https address.')
  }
  const { issueAdminToken } = await loadOperator()
  const { remoteOperator } = await import('./remote-operator.ts')
  return remoteOperator(url, (await issueAdminToken(config, OWN_ADDRESS)).token)
}

function onlyId({ ids }: Asked): string {
  const [id, ...others] = ids
  if (id === undefined || others.length > 0)
    throw new Misuse('Name one agent by its id; "admin agents" lists them.')
  return id
}

function parse(args: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      email: { type: 'string' },
      url: { type: 'string' },
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const { email, url, all, json } = values
  return { ids: positionals, email, url, all, json }
}

const toJson = (value: unknown): string => JSON.stringify(value, undefined, 2)
