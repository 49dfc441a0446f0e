import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ENDPOINTS, type EndpointName } from '@stakewright/contract'
import { EXAMPLES } from '@stakewright/contract/examples'
import { checkInput } from '../../server/src/api/input/check-input.ts'
import { Fault } from '../../server/src/fault.ts'
import { openTestApp, type TestApp } from '../../server/test/support/test-app.ts'
import { ENDPOINT_COMMANDS } from '../src/api/endpoint-commands.ts'
import { typedName } from '../src/api/flag-words.ts'
import { inputFlags } from '../src/api/input-flags.ts'
import { toFailure } from '../src/envelope.ts'
import { COMMANDS } from '../src/run-command-line.ts'
import { type } from './typed-line.ts'

let app: TestApp
let env: Readonly<Record<string, string>>
before(async () => {
  app = await openTestApp({ env: { LIMIT_IP_RPM: '1000' } })
  const { apiKey } = (await app.client().sandboxKey({ agentName: 'typist' })).data
  env = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: apiKey }
})
after(() => app[Symbol.asyncDispose]())

const AMOUNT = '10000000000000'

test('a refusal names the typed option or argument, not the field of the API', async () => {
  for (const [line, said] of [
    [`allocate ${AMOUNT} --max-validators 99`, '--max-validators must be at most 50.'],
    [
      `allocate ${AMOUNT} --max-share 0.1 --max-validators 2`,
      '--max-share is too small: the amount can go to 2 validators at most, so it must be at least 0.5, or --max-validators at least 10.',
    ],
    [`allocate ${AMOUNT} --owner 0x1 --existing []`, '--existing must be left out when --owner is given.'],
    [
      `allocate ${AMOUNT} --keep-liquid {"amount":"1"}`,
      '`withinEpochs` of --keep-liquid is required; it must be a whole number from 0 to 100.',
    ],
    ['tx batch --items [{"action":"stak"}]', '`[0].action` of --items must be one of stake, unstake'],
    ['positions 0xzz', 'OWNER must be a chain id: 0x and 1 to 64 hex digits.'],
    ['register a@b.co scout --agent-type human', '--agent-type must be one of autonomous, assistant'],
  ] as const) {
    const onTerminal = await type(line, { env, isTerminal: true })
    assert.equal(onTerminal.code, 2, line)
    assert(onTerminal.stderr.startsWith(said), `${line}: ${onTerminal.stderr}`)
    assert((await type(line, { env })).json().error.message.startsWith(said), line)
  }
})

test('a fix names only the wrong input, and no other input of the command', () => {
  const examples: Readonly<Record<string, object>> = EXAMPLES
  let tried = 0
  for (const { endpoint, words } of ENDPOINT_COMMANDS) {
    const same = ENDPOINT_COMMANDS.filter((command) => command.words === words)
    for (const { field, isSecret } of inputFlags(endpoint)) {
      if (isSecret) continue
      for (const wrong of [5.5, 'zz zz', [5.5], { zz: 1 }]) {
        const fault = refusalOf(endpoint, { ...examples[endpoint], [field]: wrong }, field)
        if (fault === undefined) continue
        const { fix = '', details = [] } = toFailure(fault, words)
        const own = typedName(field, same) ?? field
        const others = inputFlags(endpoint).map((each) => typedName(each.field, same) ?? each.field)
        const named = others.filter((name) => new RegExp(`(^|[^-\\w])${name}([^-\\w]|$)`).test(fix))
        assert(
          named.every((name) => name === own),
          `${words} ${own}: ${fix}`,
        )
        assert.equal(details[0]?.option, own)
        tried += 1
      }
    }
  }
  assert(tried > 100, `${tried} refusals`)
})

/** The refusal of an input with one wrong field; undefined if the input is valid, or if other fields are wrong, too. */
function refusalOf(endpoint: EndpointName, values: object, field: string): Fault | undefined {
  try {
    checkInput(ENDPOINTS[endpoint])({ kind: 'arguments', values })
  } catch (error) {
    assert(error instanceof Fault)
    const isAlone = error.details?.every((detail) => detail.field.startsWith(field)) === true
    return isAlone ? error : undefined
  }
  return undefined
}

test('a fix says to run the command again, and the JSON has both the field and the option', async () => {
  const line = `allocate ${AMOUNT} --max-validators 99 --min-score 101`
  const { error } = (await type(line, { env })).json()
  assert.match(error.fix ?? '', /--max-validators.*run the command again/)
  assert.deepEqual(
    error.details?.map(({ field, option }) => [field, option]),
    [
      ['maxValidators', '--max-validators'],
      ['minScore', '--min-score'],
    ],
  )
})

test('a token sent as an API key leads to STAKEWRIGHT_API_KEY, a reused idempotency key to its option', async () => {
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc'
  const wrong = { STAKEWRIGHT_URL: app.url, STAKEWRIGHT_API_KEY: token }
  const { stderr } = await type(`allocate ${AMOUNT}`, { env: wrong, isTerminal: true })
  assert.match(stderr, /Use an API key instead\. Set it as STAKEWRIGHT_API_KEY\./)
  const [validator] = (await app.client().validators({ status: 'active' })).data
  const stake = (amount: string) =>
    type(`tx stake ${validator?.id} ${amount} --idempotency-key order-7`, { env, isTerminal: true })
  assert.equal((await stake('10000000000')).code, 0)
  assert.match((await stake('20000000000')).stderr, /^--idempotency-key was used with other input\./)
})

test('no help text contains a camelCase name of a field or an endpoint', async () => {
  for (const { words } of COMMANDS) {
    const { stdout } = await type(`help ${words}`)
    assert.doesNotMatch(stdout, /\{\{/, words)
    const same = ENDPOINT_COMMANDS.filter((command) => command.words === words)
    const fields = same.flatMap(({ endpoint }) => inputFlags(endpoint).map(({ field }) => field))
    const endpoints = ENDPOINT_COMMANDS.map(({ endpoint }) => endpoint)
    for (const name of [...fields, ...endpoints].filter((each) => /[A-Z]/.test(each)))
      assert(!stdout.replaceAll(/`\w+` of the answer/g, '').includes(`\`${name}\``), `${words}: ${name}`)
  }
})

test('an input that is true by default is switched off by --no-…', async () => {
  const { data } = (await type(`allocate ${AMOUNT}`, { env })).json()
  assert('alternatives' in data)
  const without = await type(`allocate ${AMOUNT} --no-alternatives`, { env })
  assert.equal(without.code, 0)
  assert(!('alternatives' in without.json().data))
  assert.match((await type('help allocate')).stdout, / --no-alternatives +/)
})
