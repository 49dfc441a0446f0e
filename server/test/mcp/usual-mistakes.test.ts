import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admitAgent, userToken } from '../support/admitted-agent.ts'
import { openTestApp } from '../support/test-app.ts'
import { connectMcp, type Mcp } from './mcp-client.ts'

const AMOUNT = '5000000000'

type Arguments = Readonly<Record<string, unknown>>
type Mistake = readonly [tool: string, given: Arguments, fix: RegExp, next: string]

const ONE_VALUE = /^Send `\w+` as one value, and not as a list\.$/

/** Mistakes that models make after a quick look at a schema. */
const mistakesWith = (id: string, name: string): readonly Mistake[] => [
  ['allocate', { amount: '10 IKA' }, /tokens times 10\^`decimals`.* metadata has/, 'metadata'],
  ['allocate', { amount: 10.5 }, /tokens times 10\^`decimals`/, 'metadata'],
  ['allocate', { amount: '10,000' }, /tokens times 10\^`decimals`/, 'metadata'],
  ['allocate', { amount: 'max' }, /the service does not know wallet balances/, 'allocate'],
  ['build_unstake', { stakedTokenId: '0x1', amount: 'all' }, /Leave out `amount` for all/, 'build_unstake'],
  ['allocate', { amount: AMOUNT, maxValidators: '3' }, /as a number, without quotes/, 'allocate'],
  ['allocate', { amount: AMOUNT, explain: 'true' }, /as true or false, without quotes/, 'allocate'],
  ['allocate', { amount: AMOUNT, max_validators: 3 }, /^Use `maxValidators` instead/, 'allocate'],
  ['allocate', { amount: AMOUNT, exclude: null }, /^Leave out `exclude`: null/, 'allocate'],
  ['build_stake', { validatorId: id, amount: AMOUNT, sender: null }, /^Leave out `sender`/, 'build_stake'],
  ['allocate', { amount: AMOUNT, exclude: [name] }, /`search` finds a validator by name/, 'validators'],
  ['allocate', { amount: AMOUNT, exclude: name }, /as a list/, 'allocate'],
  ['allocate', { amount: AMOUNT, network: 'ika-mainnet' }, /if that network is the one/, 'network'],
  ['allocate', { amount: AMOUNT, strategy: 'safe' }, /^Leave out `strategy`\.$/, 'allocate'],
  ['build_stake', { validatorId: name, amount: AMOUNT }, /`search` finds a validator/, 'validators'],
  [
    'build_stake',
    { validator: id, amount: AMOUNT },
    /^Use `validatorId` instead of `validator`\.$/,
    'build_stake',
  ],
  [
    'build_stake',
    { validatorId: id, amount: AMOUNT, from: id },
    /^Use `sender` instead of `from`/,
    'build_stake',
  ],
  ['build_stake', { amount: AMOUNT }, /^Add `validatorId`\.$/, 'validators'],
  [
    'allocate',
    { amount: AMOUNT, existing: [{ stakedTokenId: '0x1', principal: AMOUNT }] },
    /^Add `existing\[0\]\.validatorId`\. Or give `owner` instead of `existing`: /,
    'positions',
  ],
  [
    'plan_rebalance',
    { positions: [{ stakedTokenId: '0x1', validatorId: id, principal: AMOUNT, state: 'active' }] },
    /^Leave out `positions\[0\]\.state`\. Or give `owner` instead of `positions`: /,
    'plan_rebalance',
  ],
  ['build_unstake', { positionId: '0x1' }, /^Use `stakedTokenId` instead/, 'build_unstake'],
  ['build_unstake', { stakedTokenId: 'mine' }, /Take the id from positions/, 'positions'],
  ['build_batch', { items: '[{"action":"stake"}]' }, /as a list, and not as the text of one/, 'build_batch'],
  [
    'build_batch',
    { items: [{ action: 'stake', validator: id, amount: AMOUNT }] },
    /^Use `validatorId`/,
    'build_batch',
  ],
  ['build_batch', { items: [{ action: 'restake' }] }, /^Correct `items\[0\]\.action`/, 'build_batch'],
  ['positions', { address: id }, /^Use `owner` instead of `address`\.$/, 'positions'],
  ['plan_rebalance', { wallet: id }, /^Use `owner` instead of `wallet`/, 'plan_rebalance'],
  ['validator', { validatorId: id }, /^Use `id` instead of `validatorId`\.$/, 'validator'],
  ['validator', { id: name }, /`search` finds a validator by name/, 'validators'],
  ['validators', { cursor: 'old' }, /^Leave out `cursor`/, 'validators'],
  ['validators', { limit: '5' }, /as a number, without quotes/, 'validators'],
  ['sandbox_key', { name: 'scout' }, /^Use `agentName` instead of `name`\.$/, 'sandbox_key'],
  ['allocate', { amount: '18446744073709551616' }, /^Send less: `amount` is above 1844/, 'allocate'],
  // A JSON number may have been rounded by its sender, so amounts are never accepted as numbers.
  ...[5_000_000_000, Number.MAX_SAFE_INTEGER, 2 ** 53, 12_345_678_901_234_568, 1e30].map(
    (amount): Mistake => ['allocate', { amount }, /^Put `amount` in quotes/, 'allocate'],
  ),
  [
    'validators',
    { fields: ['id', 'name'] },
    /^Send `fields` as one text, with commas between its parts\.$/,
    'validators',
  ],
  ['build_unstake', { stakedTokenId: ['0xa'] }, ONE_VALUE, 'build_unstake'],
  ['build_stake', { validatorId: id, amount: [AMOUNT] }, ONE_VALUE, 'build_stake'],
  ['allocate', { amount: AMOUNT, maxValidators: [3] }, ONE_VALUE, 'allocate'],
  ['validators', { status: ['active'] }, ONE_VALUE, 'validators'],
  ['validators', { maxCommission: 5 }, /as a fraction: 0\.05 means 5\.00%/, 'validators'],
  ['allocate', { amount: AMOUNT, maxShare: 50 }, /as a fraction: 0\.5 means 50\.00%/, 'allocate'],
  ['validators', { limit: 2 ** 60 }, /^Correct `limit`/, 'validators'],
  ['sandbox_key', { agentName: 2 ** 60 }, /^Put `agentName` in quotes|^Correct `agentName`/, 'sandbox_key'],
  [
    'allocate',
    { amount: AMOUNT, keepLiquid: '5000' },
    /^Send `keepLiquid` as an object: \{ "amount": …, "withinEpochs": … \}\.$/,
    'allocate',
  ],
  [
    'allocate',
    { amount: AMOUNT, groups: ['x'] },
    /^Send `groups\[0\]` as an object: \{ "name": …, "validatorIds": …, "maxShare": … \}\.$/,
    'allocate',
  ],
  [
    'self_register',
    { agentName: 'x' },
    /^Send either `email`, or `address`, `nonce` and `signature`: wallet_challenge gives `nonce`/,
    'wallet_challenge',
  ],
  ['epoch', { detail: 'full' }, /^Leave out `detail`\.$/, 'epoch'],
  ['allocate', { amount: AMOUNT, detail: 'verbose' }, /"compact" or "full"/, 'allocate'],
]

async function openWithKey() {
  await using opened = new AsyncDisposableStack()
  const app = opened.use(await openTestApp({ env: { LIMIT_IP_RPM: '1000' } }))
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'x' })).data
  const mcp = opened.use(await connectMcp(app.url, '2026-07-28', { 'x-api-key': apiKey }))
  const owned = opened.move()
  return { app, apiKey, mcp, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

test('each usual mistake is answered with a fix and the tool to call next', async () => {
  await using opened = await openWithKey()
  const { app, mcp } = opened
  const [first] = (await app.client().validators({ limit: 1 })).data
  assert(first)
  for (const [tool, given, fix, next] of mistakesWith(first.id, first.name)) {
    const label = `${tool} ${JSON.stringify(given)}`
    const { isError, text } = await mcp.call(tool, given)
    assert(isError, label)
    const answered = { fix: /^fix: (.*)$/m.exec(text)?.[1] ?? '', next: /^ {2}tool: (\w+)$/m.exec(text)?.[1] }
    assert.match(answered.fix, fix, label)
    assert.equal(answered.next, next, `${label}: ${text}`)
    assert.doesNotMatch(text, /\/api\/|openapi/, label)
  }
})

test('a refusal for a low tier leads to sandbox_key over MCP, and to its endpoint over REST', async () => {
  await using opened = await openWithKey()
  const { app } = opened
  const { apiKey, id } = await admitAgent(app)
  await using mcp = await connectMcp(app.url, '2026-07-28')
  const requests = [
    ['plan_rebalance', { owner: '0x1' }],
    ['backtest', { amount: AMOUNT }],
  ] as const
  for (const [tool, given] of requests) {
    const { isError, text } = await mcp.call(tool, { ...given, apiKey })
    assert(isError && text.includes('forbidden'), text)
    assert.match(text, /^fix: Call sandbox_key, and use the key that it gives/m)
    assert.match(text, /^ {2}tool: sandbox_key$/m)
    assert.doesNotMatch(text, /\/api\/|POST/)
  }
  await assert.rejects(app.client({ apiKey }).planRebalance({ owner: '0x1' }), ({ fix, next }) => {
    assert.match(fix, /^Call POST \/api\/v1\/sandbox\/keys, and use the key that it gives/)
    return next.path === '/api/v1/sandbox/keys' && 'agentName' in next.body
  })
  const { data } = (await mcp.call('sandbox_key', { agentName: 'better' })).data as {
    readonly data: { readonly apiKey: string }
  }
  assert.equal((await mcp.call('usage', { apiKey: data.apiKey })).data['tier'], 'builder')
  await app.client({ token: await userToken(app, 'ann@example.com') }).revokeAgent({ id })
  const revoked = await mcp.call('usage', { apiKey })
  assert.match(revoked.text, /revoked/)
  assert.doesNotMatch(revoked.text, /\/api\/|POST/)
})

test('a list item without its kind is refused with the allowed kinds', async () => {
  await using opened = await openWithKey()
  const { text } = await opened.mcp.call('build_batch', { items: [{ type: 'stake' }] })
  assert.match(text, /`items\[0\]\.action` is required; it must be one of stake, unstake, withdraw/)
})

test('details of an error are listed row by row, and the refusal of a policy names tools', async () => {
  await using opened = await openWithKey()
  const { app, mcp } = opened
  const items = [{ action: 'restake' }, { action: 'restake' }]
  const { text } = await mcp.call('build_batch', { items })
  assert.match(text, /items\[1\]\.action \| must be one of/)
  const { id, apiKey } = await admitAgent(app)
  const token = await userToken(app, 'ann@example.com')
  await app.client({ token }).writePolicy({ id, rules: [{ rule: 'actions', allow: ['withdraw'] }] })
  const [first] = (await app.client().validators({ limit: 1 })).data
  const refused = await mcp.call('build_stake', { validatorId: first?.id, amount: AMOUNT, apiKey })
  assert.match(refused.text, /^fix: .*release with release_reservation/m)
  assert.doesNotMatch(refused.text, /\btx\//)
})

test('a key under another argument name gets the right name, and an unknown tool the similar ones', async () => {
  await using opened = await openWithKey()
  const { app, apiKey } = opened
  await using mcp = await connectMcp(app.url, '2026-07-28')
  for (const name of ['api_key', 'key', 'x-api-key']) {
    const { text } = await mcp.call('usage', { [name]: apiKey })
    assert(text.includes(`Use \`apiKey\` instead of \`${name}\``), text)
  }
  const unknown = (tool: string, meant: RegExp) => assert.rejects(callOf(mcp, tool), meant)
  await unknown('buildStake', /Did you mean build_stake\?/)
  await unknown('unstake', /Did you mean build_unstake\?/)
  await unknown('list_agents', /no tool: it needs a user token\. Call GET \/api\/v1\/agents by REST/)
  await unknown('zzz', /There is no tool called "zzz"\. Call tools\/list/)
})

const callOf = (mcp: Mcp, tool: string) => mcp.call(tool, {})
