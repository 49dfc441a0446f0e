import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer'
import { startContender } from './contenders/contender.ts'
import { UNLIMITED } from './support/beside-bare.ts'

const SERVICE = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))
const GOAL = 1_500
const OWNER = `0x${'a1'.repeat(32)}`

type Answer = { readonly text: string; readonly data: Readonly<Record<string, unknown>> }

/** What the most used answers cost a language model that asks by MCP: the text it reads, and the same as JSON. */
export async function benchTokens(): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'stakewright-tokens-'))
  opened.defer(() => rmSync(folder, { recursive: true, force: true }))
  const service = opened.use(await startContender('service', SERVICE, { ...UNLIMITED, DATA_DIR: folder }))
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${service.port}/mcp`)))
  opened.defer(() => client.close())

  const ask = async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Answer> => {
    const result = await client.callTool({ name, arguments: { ...args } })
    const [first] = result.content as readonly { readonly text: string }[]
    if (first === undefined || result.isError) throw new Error(`${name}: ${first?.text}`)
    return { text: first.text, data: result.structuredContent as Answer['data'] }
  }
  console.log(`\nTokens of an answer (o200k); the goal is ${GOAL} for the text`)
  console.log('tool                     text    JSON')
  const show = (name: string, { text, data }: Answer) => {
    const tokens = countTokens(text)
    const mark = tokens > GOAL ? '  above the goal' : ''
    const json = String(countTokens(JSON.stringify(data))).padStart(6)
    console.log(`${name.padEnd(22)}${String(tokens).padStart(7)}  ${json}${mark}`)
  }
  const { tools } = await client.listTools()
  console.log(`(tools/list itself: ${countTokens(JSON.stringify(tools))})`)
  for (const [name, answer] of await usualAnswers(ask)) show(name, answer)
}

/** One agent's work, from the first look at the network to coins in hand. */
async function usualAnswers(
  ask: (name: string, args?: Readonly<Record<string, unknown>>) => Promise<Answer>,
): Promise<readonly (readonly [string, Answer])[]> {
  const issued = await ask('sandbox_key', { agentName: 'bench' })
  const { apiKey } = issued.data['data'] as { readonly apiKey: string }
  const allocated = await ask('allocate', {
    apiKey,
    amount: '50000000000000000',
    maxValidators: 5,
    explain: true,
  })
  const [chosen] = allocated.data['allocations'] as readonly {
    readonly validatorId: string
    readonly amount: string
  }[]
  if (chosen === undefined) throw new Error('an allocation has at least one validator')
  const { validatorId, amount } = chosen
  const stake = await ask('build_stake', { apiKey, validatorId, amount, sender: OWNER })
  await ask('sandbox_execute', { apiKey, sender: OWNER, commands: stake.data['commands'] })
  await ask('sandbox_advance', { apiKey, epochs: 3 })
  const { positions: held } = (await ask('positions', { apiKey, owner: OWNER })).data
  const [{ stakedTokenId }] = held as readonly [{ readonly stakedTokenId: string }]
  const items = [
    { action: 'stake', validatorId, amount },
    { action: 'unstake', stakedTokenId, amount: '10000000000' },
  ]
  const batch = await ask('build_batch', { apiKey, items, sender: OWNER })
  const history = await ask('validator_apy_history', { id: validatorId })
  const positions = await ask('positions', { apiKey, owner: OWNER })
  return [
    ['validators', await ask('validators')],
    ['validator', await ask('validator', { id: validatorId })],
    ['validator_apy_history', history],
    ['epoch', await ask('epoch')],
    ['metadata', await ask('metadata', { apiKey })],
    ['scored_validators', await ask('scored_validators', { apiKey })],
    ['allocate', allocated],
    ['plan_rebalance', await ask('plan_rebalance', { apiKey, owner: OWNER })],
    ['positions', positions],
    ['build_stake', stake],
    ['build_batch', batch],
  ]
}
