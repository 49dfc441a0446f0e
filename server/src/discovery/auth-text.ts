import { LIMITS, TIERS } from '@stakewright/contract'
import { callOf, type Facts, isSandbox } from './facts.ts'

/** How a program gets a key, in prose. */
export function authText(facts: Facts): string {
  return [
    '# Authentication',
    '',
    'Public data needs no credential. Endpoints under /api/v1/staking/agent need an API key: send it as the header X-API-Key (or as Authorization: Bearer). Never put it into a URL.',
    '',
    ...waysToGetKey(facts),
    '',
    `A key reads and builds, and never signs; \`permissions\` in its answer is always ["read"] and no list of scopes. An answer shows a key once. If it may have leaked, end it with ${callOf('revokeSelf')}, which takes the key itself, or rotate it with a user token.`,
    '',
    'Tiers, unless an admin sets other limits:',
    '',
    ...tierLines(),
    '',
    limitsLine(facts),
    '',
  ].join('\n')
}

function waysToGetKey(facts: Facts): readonly string[] {
  const minutes = LIMITS.walletChallengeMs / 60_000
  return [
    ...(isSandbox(facts)
      ? [
          `- At once, for the sandbox: ${callOf('sandboxKey')} with {"agentName":"my-agent"}. The key, \`data.apiKey\` of the answer, works, and may send ${LIMITS.sandboxKeyPerMinute} requests a minute and ${LIMITS.sandboxKeyPerDay} a day. Nobody owns its agent, so it gets no policy: register one as a user for that.`,
        ]
      : []),
    `- By a Sui wallet, without a mailbox: ${callOf('walletChallenge')} with {"address":"0x…"} gives \`data.message\` and \`data.nonce\`. Sign the message as a personal message (any Sui key or multisig; zkLogin where the full nodes of this service check it), and send ${callOf('selfRegister')} with {"agentName":"…","address":"0x…","nonce":"…","signature":"…"} within ${minutes} minutes. The key works at once, and the wallet owns the agent.`,
    `- By mail: ${callOf('selfRegister')} with {"email":"…","agentName":"…"}. The key in the answer works after the link in the mail was opened, within 24 hours.`,
    `- As a person who manages agents: ${callOf('requestCode')} with {"email":"…"}, then ${callOf('exchangeCode')} with the mailed code, gives a user token. A wallet sends address, nonce and signature to ${callOf('exchangeCode')} instead.`,
  ]
}

const tierLines = (): readonly string[] =>
  Object.entries(TIERS).map(([name, { rpm, rpd, visibleValidators, mayRebalance }]) => {
    const visible = Number.isFinite(visibleValidators) ? `the top ${visibleValidators}` : 'all'
    const plans = mayRebalance ? 'rebalance plans' : 'no rebalance plans'
    return `- ${name}: ${rpm} requests a minute, ${rpd} a day, ${visible} validators, ${plans}`
  })

function limitsLine(facts: Facts): string {
  const { ipPerMinute, registrationsPerIpHour, registrationsPerIpDay, registrationsPerDay } = facts.limits
  const sandbox = isSandbox(facts) ? `, and have ${LIMITS.sandboxKeysPerIpHour} sandbox keys an hour` : ''
  return `An address may send ${ipPerMinute} requests a minute, whatever keys it uses, and register ${registrationsPerIpHour} agents an hour and ${registrationsPerIpDay} a day${sandbox}; all addresses together register ${registrationsPerDay} a day. 429 and 503 carry Retry-After in seconds.`
}
