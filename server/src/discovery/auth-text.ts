import { LIMITS, TIERS } from '@stakewright/contract'
import { callOf, type Facts, isSandbox } from './facts.ts'

/** How a program gets a key, in prose. */
export function authText(facts: Facts): string {
  const tiers = Object.entries(TIERS).map(([name, { rpm, rpd, visibleValidators, mayRebalance }]) => {
    const visible = Number.isFinite(visibleValidators) ? `the top ${visibleValidators}` : 'all'
    const plans = mayRebalance ? 'rebalance plans' : 'no rebalance plans'
    return `- ${name}: ${rpm} requests a minute, ${rpd} a day, ${visible} validators, ${plans}`
  })
  const atOnce = `- At once, for the sandbox: ${callOf('sandboxKey')} with {"agentName":"my-agent"}. The key in the answer works.`
  return [
    '# Authentication',
    '',
    'Public data needs no credential. Endpoints under /api/v1/staking/agent need an API key: send it as the header X-API-Key (or as Authorization: Bearer). Never put it into a URL.',
    '',
    ...(isSandbox(facts) ? [atOnce] : []),
    `- By mail: ${callOf('selfRegister')} with {"email":"…","agentName":"…"}. The key in the answer works after the link in the mail was opened, within 24 hours.`,
    `- As a person who manages agents: ${callOf('requestCode')}, then ${callOf('exchangeCode')} with the mailed code gives a user token.`,
    '',
    'An answer shows a key once. Rotate it with a user token if it may have leaked.',
    '',
    'Tiers, unless an admin sets other limits:',
    '',
    ...tiers,
    '',
    `An address may send ${LIMITS.ipPerMinute} requests a minute. 429 and 503 carry Retry-After in seconds.`,
    '',
  ].join('\n')
}
