import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf, newestMail, tokenOf } from '../../server/test/support/services/mail-files.ts'

export type CommandLine = (
  args: readonly string[],
  given?: { readonly input?: string; readonly env?: Readonly<Record<string, string>> },
) => Promise<{ readonly code: number; readonly stdout: string }>

const AMOUNT = '5000000000000'
const WALLET = `0x${'22'.repeat(32)}`
const EMAIL = 'cli@example.com'

/** Runs every command of agents and owners and checks the documented exit codes. */
export async function runEveryCommand(cli: CommandLine, dataFolder: string): Promise<void> {
  const run = async (line: string, expected = 0, given: Parameters<CommandLine>[1] = {}) => {
    const { code, stdout } = await cli(line.split(' '), given)
    assert.equal(code, expected, `${line}: ${stdout}`)
    return stdout
  }
  const ask = async (line: string, given: Parameters<CommandLine>[1] = {}) =>
    JSON.parse(await run(line, 0, given)).data

  await run('key scout --save --replace')
  const { data } = await ask('validators')
  const [{ id }] = data
  for (const line of [`validator ${id}`, 'apy', `apy ${id}`, 'epoch', 'usage', 'scored', 'metadata'])
    await run(line)
  const { allocations } = await ask(`allocate ${AMOUNT} --max-validators 1`)

  const stake = await run(`tx stake ${allocations[0].validatorId} ${AMOUNT} --sender ${WALLET}`)
  await verifyStake(cli, stake, { validator: allocations[0].validatorId, amount: AMOUNT })
  await run(`sandbox execute --sender ${WALLET} --input -`, 0, { input: stake })
  await run('sandbox advance 3')
  const { positions } = await ask(`positions ${WALLET}`)
  const [{ stakedTokenId }] = positions
  await run(`rebalance --owner ${WALLET}`)
  const unstake = await run(`tx unstake ${stakedTokenId} --sender ${WALLET}`)
  await run(`sandbox execute --sender ${WALLET} --input -`, 0, { input: unstake })
  await run('sandbox advance 2')
  await run(`tx withdraw ${stakedTokenId} --sender ${WALLET}`)

  const registered = await ask(`register ${EMAIL} mailed`)
  const free = { STAKEWRIGHT_API_KEY: registered.data.apiKey }
  await run('usage', 3, { env: free })
  await run(`verify-email ${tokenOf(await mailed(dataFolder, 'verify'))}`)
  await run('usage', 0, { env: free })
  await run(`rebalance --owner ${WALLET}`, 4, { env: free })
  await run(`sign-in code ${EMAIL}`)
  const code = codeOf(await mailed(dataFolder, 'sign'))
  await run('sign-in token --input -', 0, { input: JSON.stringify({ email: EMAIL, code }) }).then((stdout) =>
    assert.match(stdout, /accessToken/),
  )

  for (const line of ['schema allocate', 'completion bash', 'profile list', '--version', 'help tx stake'])
    await run(line)
  await run('keys', 3)
  await run('alocate 5', 2)
  await run(`validator 0x${'ab'.repeat(32)}`, 5)
  await run('epoch', 8, { env: { STAKEWRIGHT_URL: 'http://127.0.0.1:2' } })
  await run('mcp', 0, { input: '' })
}

/** Verifies offline: the service's address is unreachable. */
async function verifyStake(cli: CommandLine, input: string, wished: object): Promise<void> {
  const wish = { network: 'sandbox', sender: WALLET, action: 'stake', ...wished }
  const env = { STAKEWRIGHT_URL: 'http://127.0.0.1:9' }
  const verify = async (of: object) =>
    (await cli(['verify', '--input', '-', '--wish', JSON.stringify(of)], { input, env })).code
  assert.deepEqual([await verify(wish), await verify({ ...wish, amount: '1' })], [0, 4])
}

/** Waits for a mail with this word in its subject, because mails are delivered after the answer. */
async function mailed(dataFolder: string, word: string) {
  for (let tries = 0; tries < 200; tries++) {
    const mail = await newestMail(dataFolder, EMAIL).catch(() => undefined)
    if (mail && new RegExp(`^Subject: .*${word}`, 'im').test(mail.raw)) return mail
    await sleep(50)
  }
  return assert.fail(`no mail about ${word}`)
}
