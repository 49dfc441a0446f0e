/** The usual jobs, as instructions that a person can pick in an MCP client. Tools are named as `tools/list` names them. */
type Prompt = {
  readonly title: string
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    readonly required: boolean
  }[]
  readonly text: (given: Readonly<Record<string, string>>) => string
}

/** What is wrong with the arguments of a prompt: one is missing, empty, or none of its own. */
export function problemWith(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): readonly [message: string, fix: string] | undefined {
  const names = prompt.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) return [`There is no argument \`${unknown}\`.`, `Use: ${names.join(', ')}.`]
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim())
  return missing && [`The argument \`${missing.name}\` is required.`, `Add it: ${missing.description}`]
}

export const PROMPTS: Readonly<Record<string, Prompt>> = {
  'stake-an-amount': {
    title: 'Stake an amount',
    description: 'Split an amount over validators and build the transaction to sign.',
    arguments: [
      { name: 'amount', description: 'Amount in whole tokens, such as 25000.', required: true },
      { name: 'sender', description: 'The address that will sign.', required: false },
    ],
    text: ({ amount = '', sender }) =>
      [
        `I want to stake ${amount} tokens.`,
        'Call metadata to learn the decimals, convert the amount to smallest units, and call allocate with explain: true.',
        'Show me the split, the projected APY, and what certificate.gap says about it. Ask me before you go on.',
        `Then call build_batch with a stake for each allocation${sender ? ` and sender ${sender}` : ''}, and show me its summary.`,
        'The service never signs: I sign the transaction with my wallet.',
      ].join('\n'),
  },
  'review-positions': {
    title: 'Review my positions',
    description: 'Find out whether moving existing stake would pay.',
    arguments: [{ name: 'owner', description: 'The address that owns the staked tokens.', required: true }],
    text: ({ owner = '' }) =>
      [
        `Call positions with owner ${owner}, then plan_rebalance with what it holds.`,
        'Tell me the recommendation and its reason, the break-even in epochs, and every step with its amount.',
        'When the recommendation is hold, say so and stop.',
      ].join('\n'),
  },
  'exit-a-position': {
    title: 'Unstake and withdraw',
    description: 'Take stake back, in as many transactions as the network needs.',
    arguments: [{ name: 'stakedTokenId', description: 'Id of the staked token.', required: true }],
    text: ({ stakedTokenId = '' }) =>
      [
        `Call build_unstake for ${stakedTokenId} and show me its summary and availableAt.`,
        'After I have signed it and that time has come, call build_withdraw for the same token.',
        'If the first answer already has action withdraw, one transaction is enough.',
      ].join('\n'),
  },
}
