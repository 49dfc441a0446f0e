import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCli } from '../../cli/test/run-cli.ts'
import { startEchoingNode } from '../../server/test/fake-full-node/echoing-node.ts'
import { tempFolder } from '../../server/test/support/temp-folder.ts'
import { runService, spawnService } from './service-process.ts'

/** No part longer than a few characters may appear. `query` is short, but occurs nowhere else. */
const SECRETS = {
  path: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
  token: '3f2b8c1e-77aa-4c1d-9d1e-5b6a7c8d9e0f',
  quoted: 'tok"en\\with/all%of<it>',
  query: 'Qz9',
  password: 'p@ss/w0rd',
  name: 'aliceandbob',
}
const FRAGMENTS =
  /9f8e7d6c|06f5e4d3|3f2b8c1e|4c1d-9d1e|tok\W+en|with.{1,5}all|\bQz9\b|p@ss|p%40ss|w0rd|alicean/i
const BASIC = Buffer.from(`${SECRETS.name}:${SECRETS.password}`).toString('base64').slice(0, 10)

function variablesOf(host: string): Record<string, string> {
  const { path, token, quoted, query, password, name } = SECRETS
  const login = `${encodeURIComponent(name)}:${encodeURIComponent(password)}`
  const ways = [0, 1, 2, 3, 4, 5].map((way) => `http://${login}@${host}/way${way}/${path}?key=${query}`)
  return {
    NETWORK: 'ika',
    SUI_RPC_URLS: ways.join(),
    SUI_RPC_HEADERS: JSON.stringify({ [host]: { 'x-token': token, 'x-other': quoted } }),
    SUI_GRAPHQL_URL: `http://${host}/way6/${path}?key=${query}`,
    PRICE_URL: `http://${login}@${host}/way7/${path}?key=${query}`,
    REFRESH_MS: '250',
    SUI_RPC_CALLS: '1000',
    LOG_LEVEL: 'debug',
  }
}

function assertHidden(place: string, text: string): void {
  const at = text.search(FRAGMENTS)
  assert.equal(at, -1, `${place}: ${text.slice(Math.max(0, at - 200), at + 60)}`)
  assert(!text.includes(BASIC), `${place}: name and password as they are sent`)
}

test('no output has a credential of a chain node, even if the node repeats it in every part of its answers', async () => {
  await using node = await startEchoingNode()
  await using folder = await tempFolder()
  const env = { ...variablesOf(node.host), DATA_DIR: folder.path }
  await using service = spawnService(env)
  const url = await service.untilListening()
  const answers: string[] = []
  for (const path of ['health', 'network', 'validators', 'price'])
    answers.push(await (await fetch(`${url}/api/v1/staking/${path}`)).text())
  for (const path of ['metrics', 'ready', 'live']) answers.push(await (await fetch(`${url}/${path}`)).text())
  await service.untilSaid(/job failed/)
  await service.end('SIGTERM')

  const printed = await runService(env, ['--print-config'])
  const checked = await runCli(env, 'network', 'check')
  assert.match(service.output(), /chain endpoint failed.*\*\*\*/)
  assert.match(service.output(), /"errorCause":"[^"]*\*\*\*/)
  assert.match(printed.output, new RegExp(`SUI_RPC_URLS +http://${node.host}/\\*\\*\\*,http`))
  assertHidden('the answers', answers.join('\n'))
  assertHidden('the log', service.output())
  assertHidden('--print-config', printed.output)
  assertHidden('network check', `${checked.stdout}${checked.stderr}`)
})
