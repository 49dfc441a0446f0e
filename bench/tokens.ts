import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { countTokens } from 'gpt-tokenizer'
import { type Answer, TOKEN_GOAL, usualAnswers } from '../server/test/mcp/usual-answers.ts'
import { startContender } from './contenders/contender.ts'
import { UNLIMITED } from './contenders/stakewright-contender.ts'

const SERVICE = fileURLToPath(new URL('../server/src/main.ts', import.meta.url))

/** Counts the tokens of the most used MCP answers: as the text that a model reads, and as JSON. */
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
  console.log(`\nTokens of an answer (o200k); the goal is ${TOKEN_GOAL} for the text`)
  console.log('tool                     text    JSON')
  const show = (name: string, { text, data }: Answer) => {
    const tokens = countTokens(text)
    const mark = tokens > TOKEN_GOAL ? '  above the goal' : ''
    const json = String(countTokens(JSON.stringify(data))).padStart(6)
    console.log(`${name.padEnd(22)}${String(tokens).padStart(7)}  ${json}${mark}`)
  }
  const { tools } = await client.listTools()
  const asked = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))
  const [whole, read] = [tools, asked].map((list) => countTokens(JSON.stringify(list)))
  console.log(
    `(tools/list: ${whole} for ${tools.length} tools; ${read} of them are names, descriptions and inputs,`,
  )
  console.log(' which is what most clients hand to their model; the rest is for programs)')
  for (const [name, answer] of await usualAnswers(ask)) show(name, answer)
}
