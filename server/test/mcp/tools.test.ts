import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENDPOINTS, type EndpointName, isTool, ROUTES, toolName } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { countTokens } from 'gpt-tokenizer'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, ERAS, type Revision } from './mcp-client.ts'

type Properties = Readonly<
  Record<string, { readonly description?: string; readonly enum?: readonly string[] }>
>

for (const revision of Object.keys(ERAS) as Revision[]) {
  test(`${revision}: every endpoint that needs no user token is a tool with schemas and annotations`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { tools } = await mcp.client.listTools()
    const forUsers = Object.entries(ROUTES).filter(([name, { auth }]) => {
      return auth === 'user-token' || ENDPOINTS[name as keyof typeof ROUTES].tag === 'Users'
    })
    assert.equal(tools.length, Object.keys(ROUTES).length - forUsers.length)
    for (const { name, description, inputSchema, outputSchema, annotations } of tools) {
      assert.match(name, /^[a-z_]+$/)
      assert(description && description.length > 40, name)
      assert.equal(inputSchema.type, 'object', name)
      assert.equal(outputSchema?.type, 'object', name)
      assert.equal(typeof annotations?.readOnlyHint, 'boolean', name)
      assert.doesNotMatch(
        `${description} ${JSON.stringify(inputSchema)}`,
        /\b(?:GET|POST|PATCH|DELETE|PUT) |\/api\/|\b(?:20[0-9]|304|4[0-9]{2}|50[0-9])\b(?!,)/,
        `${name} names tools, not HTTP`,
      )
      assert(!JSON.stringify({ inputSchema, outputSchema }).includes('$ref'), `${name} has no references`)
      for (const [endpoint] of Object.entries(ROUTES).filter(([each]) => isTool(each as EndpointName)))
        assert(!/[A-Z]/.test(endpoint) || !description.includes(`\`${endpoint}\``), `${name}: ${endpoint}`)
    }
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false)
    assert(changing.some(({ name }) => name === 'self_register'))
    // A build may take room in a policy's window, or ask the owner for an approval.
    assert(changing.some(({ name }) => name === 'build_stake'))
    assert(changing.every(({ name }) => name !== 'allocate'))
  })

  test(`${revision}: the instructions name existing tools only, and how to get a key`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const instructions = mcp.client.getInstructions() ?? ''
    const { tools } = await mcp.client.listTools()
    const named = [...instructions.matchAll(/\b[a-z]+_[a-z]+\b/g)].map(([name]) => name)
    assert(named.includes('sandbox_key') && named.includes('build_stake'))
    for (const name of named)
      assert(
        tools.some((tool) => tool.name === name),
        name,
      )
    assert.match(instructions, /reads and builds, and never signs; permissions in its answer is no list/)
    assert(instructions.length < 2_500, `${instructions.length} characters`)
  })

  test(`${revision}: text and structured content have the same items, and a long list is cut with a count`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const whole = await app.client().validators()
    const compact = await mcp.call('validators')
    const shown = compact.data['data'] as readonly { readonly id: string; readonly name: string }[]
    assert.equal(compact.data['total'], whole.data.length)
    assert.deepEqual(compact.data['omitted'], { data: whole.data.length - shown.length })
    for (const { id, name } of shown) assert(compact.text.includes(id) && compact.text.includes(name))
    assert(compact.text.length < 6_000, 'about 1,500 tokens')
    const full = await mcp.call('validators', { detail: 'full', sort: 'id' })
    assert.deepEqual(full.data['data'], whole.data)
  })

  test(`${revision}: paging lists every validator once, the best first`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const whole = await app.client().validators()
    const seen: { readonly id: string; readonly score: number }[] = []
    let more: { readonly cursor?: string } = {}
    for (;;) {
      const { data } = await mcp.call('validators', more)
      seen.push(...(data['data'] as typeof seen))
      if (typeof data['nextCursor'] !== 'string') break
      more = { cursor: data['nextCursor'] }
    }
    const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).toSorted()
    assert.deepEqual(ids(seen), ids(whole.data))
    assert.equal(seen[0]?.score, Math.max(...whole.data.map(({ score }) => score ?? 0)))
  })

  test(`${revision}: the schema of a list says in which order and view it comes without \`sort\` and \`view\``, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { tools } = await mcp.client.listTools()
    const described = new Map(
      tools.map(({ name, inputSchema }) => [name, inputSchema.properties as Properties | undefined]),
    )
    const byScore = [...described.values()].flatMap((fields) =>
      fields?.['sort']?.enum?.includes('score') ? [fields] : [],
    )
    assert(byScore.length > 0)
    for (const { sort, view } of byScore) {
      assert.match(sort?.description ?? '', /without it `score`/i)
      assert.match(view?.description ?? '', /Without it: `detail`\.$/)
    }
  })

  test(`${revision}: a call with the hash of unchanged data is answered with \`unchanged\``, async () => {
    await using app = await openTestApp()
    const { apiKey } = await admitAgent(app)
    await using mcp = await connectMcp(app.url, revision, { 'x-api-key': apiKey })
    for (const question of [{}, { detail: 'full' }, { limit: 5 }]) {
      const { hash } = (await mcp.call('validators', question)).data
      assert.deepEqual((await mcp.call('validators', { ...question, hash })).data, { unchanged: true })
    }
  })

  test(`${revision}: a call with a key is charged, and logged as mcp:<tool>`, async () => {
    await using app = await openTestApp()
    const { apiKey, id } = await admitAgent(app)
    const user = app.client({ token: await userToken(app, 'ann@example.com') })
    await using mcp = await connectMcp(app.url, revision, { 'x-api-key': apiKey })
    const used = await mcp.call('usage')
    assert.deepEqual(used.data['used'], { rpm: 1, rpd: 1 })
    assert.equal((await app.client({ apiKey }).usage()).used.rpm, 2)
    await mcp.call('allocate', { amount: 'x' })
    const { data } = await user.agentAudit({ id })
    const statusOf = (tool: string) => data.find(({ endpoint }) => endpoint === `mcp:${tool}`)?.status
    assert.deepEqual([statusOf('usage'), statusOf('allocate')], [200, 400])
  })

  test(`${revision}: pages of the documentation and prompts are served`, async () => {
    await using app = await openTestApp()
    await using mcp = await connectMcp(app.url, revision)
    const { resources } = await mcp.client.listResources()
    const pages = resources.map(({ uri }) => uri)
    for (const page of ['glossary', 'method', 'networks'])
      assert(pages.includes(`stakewright://${page}`), page)
    for (const { uri } of resources) {
      const { contents } = await mcp.client.readResource({ uri })
      assert(contents[0] && 'text' in contents[0] && contents[0].text.startsWith('# '), uri)
    }
    const { resourceTemplates } = await mcp.client.listResourceTemplates()
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['stakewright://schema/{tool}'],
    )
    const { tools } = await mcp.client.listTools()
    for (const { name } of tools) {
      const { contents } = await mcp.client.readResource({ uri: `stakewright://schema/${name}` })
      const { input, output } = JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '')
      assert.equal(input.type, 'object', name)
      assert.equal(output.type, 'object', name)
      assert.doesNotMatch(JSON.stringify(output), /"path":\{/, `${name} answers with tools, not with paths`)
    }
    const { prompts } = await mcp.client.listPrompts()
    assert.equal(prompts.length, 3)
    for (const { name, arguments: given = [] } of prompts) {
      const values = Object.fromEntries(
        given.map((argument) => [argument.name, argument.name === 'amount' ? '1' : '0x1']),
      )
      const { messages } = await mcp.client.getPrompt({ name, arguments: values })
      const text = JSON.stringify(messages)
      assert(
        tools.some((tool) => text.includes(tool.name)),
        `${name} names tools that exist`,
      )
    }
  })
}

test('refusals name the tool to call next, and no path', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const calls: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ['build_stake', { validatorId: '0x1', amount: '9000000000000' }, 'validators'],
    ['build_unstake', { stakedTokenId: '0x1' }, 'positions'],
    ['allocate', { amount: '1' }, 'metadata'],
    ['validator', { id: '0x1' }, 'validators'],
    ['self_register', { agentName: 'x', address: '0x1', nonce: 'x', signature: 'x' }, 'wallet_challenge'],
  ]
  for (const [tool, given, leadsTo] of calls) {
    const { isError, text } = await mcp.call(tool, given)
    assert(isError, tool)
    assert.match(text, new RegExp(`tool: ${leadsTo}`), tool)
    assert.doesNotMatch(text, /\/api\/|status: \d/, tool)
  }
})

test('a split over many validators costs at most 2,000 tokens, and counts what is left out', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app, { tier: 'enterprise' })
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const request = { amount: '9000000000000000000', maxValidators: 50, explain: true }
  const compact = await mcp.call('allocate', request)
  const full = await mcp.call('allocate', { ...request, detail: 'full' })
  const countOf = (value: unknown) => (value as readonly unknown[]).length
  assert(countOf(full.data['allocations']) > 15, `${countOf(full.data['allocations'])} validators`)
  assert(countTokens(compact.text) <= 2_000, `${countTokens(compact.text)} tokens`)
  const left = countOf(full.data['allocations']) - countOf(compact.data['allocations'])
  assert(
    compact.text.includes(`${left} more in allocations, all of which the split needs`),
    compact.text.slice(-200),
  )
  // Allocations are cut last: staking by a part of a split would stake less than the requested amount.
  const some = { amount: '90000000000000', maxValidators: 14, maxShare: 0.08 }
  const split = await mcp.call('allocate', some)
  const sum = (split.data['allocations'] as readonly { amount: string }[]).reduce(
    (total, { amount }) => total + BigInt(amount),
    0n,
  )
  assert.equal(String(sum), some.amount, split.text.slice(-300))
  assert.match(split.text, /more in alternatives/)
})

test('every tool answers its example within 2,000 tokens, and names no path', async () => {
  await using app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  const { apiKey } = await admitAgent(app, { tier: 'builder', rateLimits: { rpm: 100, rpd: 100 } })
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const { tools } = await mcp.client.listTools()
  const examples = new Map<string, object>(
    Object.entries(EXAMPLES).map(([endpoint, example]) => [toolName(endpoint as EndpointName), example]),
  )
  for (const { name } of tools.filter((tool) => tool.name !== 'revoke_self')) {
    const { text } = await mcp.call(name, { ...examples.get(name) })
    assert(countTokens(text) <= 2_000, `${name}: ${countTokens(text)} tokens`)
    assert.doesNotMatch(text, /\/api\/v1/, name)
  }
})

test('a built transaction costs at most 1,500 tokens with all its commands', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const request = { ...EXAMPLES.buildStake }
  const compact = await mcp.call('build_stake', request)
  const full = await mcp.call('build_stake', { ...request, detail: 'full' })
  assert(!compact.isError, compact.text)
  for (const document of ['commands', 'transaction', 'intent'] as const) {
    assert(compact.data[document], document)
    if (document !== 'intent') assert(compact.text.includes(JSON.stringify(compact.data[document])), document)
  }
  assert.deepEqual(compact.data['commands'], full.data['commands'])
  assert(countTokens(compact.text) <= 1_500, `${countTokens(compact.text)} tokens`)
})

test('a batch costs at most 1,500 tokens with its commands, and names what is left out', async () => {
  await using app = await openTestApp()
  const { apiKey } = await admitAgent(app)
  await using mcp = await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey })
  const request = { ...EXAMPLES.buildBatch, idempotencyKey: 'order-7' }
  const compact = await mcp.call('build_batch', request)
  assert(countTokens(compact.text) <= 1_500, `${countTokens(compact.text)} tokens`)
  const { tools } = await mcp.client.listTools()
  const { properties = {} } = tools.find(({ name }) => name === 'build_batch')?.inputSchema ?? {}
  assert('detail' in properties, 'the tool takes what its text advises')
  assert.match(compact.text, /not all: transaction, which says the same as commands; repeat the call with/)
  const unnamed = await mcp.call('build_batch', EXAMPLES.buildBatch)
  assert.match(unnamed.text, /detail: "full" gets everything, but makes another one/)
  const full = await mcp.call('build_batch', { ...request, detail: 'full' })
  const { transaction, ...rest } = full.data
  assert(transaction)
  assert.deepEqual(compact.data, { ...rest, omitted: { transaction: 1 } })
})
