import type { Config } from './config.ts'

const DEFAULT_URL = 'http://127.0.0.1:3000'
const TRY_AMOUNT = '10000000000000000'

/** The text shown when the service is ready: URLs, network, and a first command. */
export function banner(listening: string, config: Config, version: string): string {
  // 0.0.0.0 and [::] are wildcards, which no browser opens.
  const url = listening.replace(/\/\/(0\.0\.0\.0|\[::\])/, '//localhost')
  const { transport } = config.mail
  const rows = [
    ['Web app', url],
    ['API', `${url}/api/v1/staking/validators`],
    ['Reference', `${url}/docs`],
    ['MCP', `${url}/mcp`],
    ['Mails', transport.kind === 'outbox' ? `${transport.folder} (one file per mail)` : 'by SMTP'],
  ] as const
  return [
    '',
    `  Stakewright ${version} is ready. Network: ${networkText(config)}`,
    '',
    ...rows.map(([name, value]) => `    ${name.padEnd(11)} ${value}`),
    '',
    ...nextSteps(url, config).map((line, index) => `    ${(index === 0 ? 'Next' : '').padEnd(11)} ${line}`),
    '',
  ].join('\n')
}

const networkText = ({ chain }: Config): string =>
  chain.kind === 'sandbox' ? 'sandbox, simulated in this process' : `${chain.network}, read from full nodes`

/** Commands have `--url` only if the service is not at the command line's default URL. */
function nextSteps(url: string, { chain }: Config): readonly string[] {
  const command = (words: string) =>
    `npm run stakewright -- ${words}${url === DEFAULT_URL ? '' : ` --url ${url}`}`
  return chain.kind === 'sandbox'
    ? [`${command('key --save')}   (a key for the sandbox)`, command(`allocate ${TRY_AMOUNT}`)]
    : [command('validators'), `${command('register EMAIL NAME --save')}   (a key, by mail)`]
}
