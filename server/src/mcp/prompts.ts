import { ENDPOINTS } from '@stakewright/contract'
import { shownName } from '../secrets/shown-name.ts'

/** Prompts: instructions for common tasks that a user can pick in an MCP client. */
type Prompt = {
  readonly title: string
  readonly description: string
  readonly arguments: readonly {
    readonly name: string
    readonly description: string
    readonly required: boolean
    /** The schema of the argument: that of a tool's argument, or its own. */
    readonly form: Form
  }[]
  readonly text: (given: Readonly<Record<string, string>>) => string
}

type Form = { safeParse(value: unknown): { readonly success: boolean } }

const { sender, stakedTokenId } = {
  ...ENDPOINTS.buildBatch.body.shape,
  ...ENDPOINTS.buildUnstake.body.shape,
}
const TOKENS: Form = {
  safeParse: (value) => ({ success: /^(?=.*[1-9])\d{1,20}(?:\.\d{1,9})?$/.test(String(value)) }),
}

/**
 * The problem with a prompt's arguments: missing, empty, unknown or malformed. They become part of the model's
 * instructions, so arbitrary text is refused.
 */
export function problemWith(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): readonly [message: string, fix: string] | undefined {
  const names = prompt.arguments.map(({ name }) => name)
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined)
    return [`There is no argument \`${shownName(unknown)}\`.`, `Use: ${names.join(', ')}.`]
  const missing = prompt.arguments.find(({ name, required }) => required && !given[name]?.trim())
  if (missing) return [`The argument \`${missing.name}\` is required.`, `Add it: ${missing.description}`]
  const wrong = prompt.arguments.find(({ name, form }) => given[name] && !form.safeParse(given[name]).success)
  return wrong && [`The argument \`${wrong.name}\` cannot be used.`, `Send: ${wrong.description}`]
}

const PROMPTS_BY_NAME: Readonly<Record<string, Prompt>> = {
  'stake-an-amount': {
    title: 'Stake an amount',
    description: 'Split an amount over validators and build the transaction to sign.',
    arguments: [
      {
        name: 'amount',
        description: 'Amount in whole tokens, such as 25000.',
        required: true,
        form: TOKENS,
      },
      {
        name: 'sender',
        description: 'The address that will sign: 0x and hex digits.',
        required: false,
        form: sender,
      },
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
    arguments: [
      {
        name: 'owner',
        description: 'The address that owns the staked tokens: 0x and hex digits.',
        required: true,
        form: ENDPOINTS.positions.query.shape.owner,
      },
    ],
    text: ({ owner = '' }) =>
      [
        `Call plan_rebalance with owner ${owner}.`,
        'Tell me the recommendation and its reason, the break-even in epochs, and every step with its amount.',
        'When the recommendation is hold, say so and stop.',
      ].join('\n'),
  },
  'exit-a-position': {
    title: 'Unstake and withdraw',
    description: 'Take stake back, in as many transactions as the network needs.',
    arguments: [
      {
        name: 'stakedTokenId',
        description: 'Id of the staked token: 0x and hex digits.',
        required: true,
        form: stakedTokenId,
      },
    ],
    text: ({ stakedTokenId = '' }) =>
      [
        `Call build_unstake for ${stakedTokenId} and show me its summary and availableAt.`,
        'After I have signed it and that time has come, call build_withdraw for the same token.',
        'If the first answer already has action withdraw, one transaction is enough.',
      ].join('\n'),
  },
}

/** A map, because a caller may ask for a name that every object has, such as `constructor`. */
export const PROMPTS: ReadonlyMap<string, Prompt> = new Map(Object.entries(PROMPTS_BY_NAME))
