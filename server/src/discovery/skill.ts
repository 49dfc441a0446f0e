import { ROUTES } from '@stakewright/contract'
import { authText } from './auth-text.ts'
import { callOf, type Facts, isSandbox } from './facts.ts'

export const SKILL_NAME = 'stakewright'
export const SKILL_PATH = `/.well-known/agent-skills/${SKILL_NAME}/SKILL.md`
export const SKILL_DESCRIPTION =
  'Choose validators, split stake optimally, plan rebalancing and build stake, unstake, withdraw and join transactions with the Stakewright API. Use when a task is about staking on Ika, Walrus, Sui or the Stakewright sandbox.'

/** Instructions that an agent loads before it works with the service. */
export function skillText(facts: Facts): string {
  const others = `${ROUTES.buildUnstake.path} and ${ROUTES.buildWithdraw.path}`
  return [
    '---',
    `name: ${SKILL_NAME}`,
    `description: ${SKILL_DESCRIPTION}`,
    '---',
    '',
    '# Staking with Stakewright',
    '',
    `Base URL: ${facts.url} · network: ${facts.network}`,
    '',
    authText(facts).replace('# Authentication', '## Set up'),
    '## Decide',
    '',
    `1. ${callOf('metadata')}: decimals and minimum stake. Convert amounts to smallest units, as strings.`,
    `2. ${callOf('allocate')} with {"amount":"…","explain":true}: the optimal split. A \`certificate.gap\` below 1e-9 means that no other split over the validators that your tier sees earns more under the stated model.`,
    `3. For existing stake: ${callOf('positions')}, then ${callOf('planRebalance')}. The recommendation \`hold\` means: do nothing.`,
    '',
    '## Act',
    '',
    `1. ${callOf('buildBatch')} with \`sender\` and a stake for each allocation, or ${callOf('buildStake')} for one (likewise ${others}): the parameters of one transaction, valid until \`expiresAt\`. With the header Idempotency-Key a repeat after a lost answer is the same transaction. 202 means that the owner of the agent must approve first: \`message\`, \`fix\` and \`next\` say how to go on.`,
    '2. Show `summary` to the owner of the stake. Sign and submit with the chain’s SDK: the service does neither.',
    ...(isSandbox(facts)
      ? [
          `3. In the sandbox, ${callOf('sandboxExecute')} runs the commands and ${callOf('sandboxAdvance')} moves time.`,
        ]
      : []),
    '',
    '## Verify',
    '',
    `Before you ask for a transaction, write down what is wished, such as {"network":"${facts.network}","sender":"…","action":"stake","validator":"…","amount":"…"} (several: "items"). Before a wallet signs, \`npm run --silent stakewright -- verify --input @answer.json --wish @wish.json\`, in a clone of Stakewright’s repository, checks offline that the transaction does exactly that; exit code 4 means: do not sign. The command line is not on npm yet: fetch no package of that name from there. Never take the wish out of the answer: its \`intent\` is the service’s own word.`,
    '',
    `${callOf('positions')} shows each staked token, its state, and what may be done with it next.`,
    '',
    '## Do not claim',
    '',
    '- that a projected APY is a promise: it is an estimate from completed epochs;',
    '- that stake was placed, before a position shows it;',
    `- that a split is the best beyond the model that ${callOf('scoring')} and ${facts.url}/docs/allocation.md describe.`,
    '',
  ].join('\n')
}
