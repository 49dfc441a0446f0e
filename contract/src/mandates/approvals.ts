import { z } from 'zod'
import type { EndpointSpec } from '../endpoint.ts'
import { Amount, IsoTime, NextCursor, PageQuery, tokenUnit } from '../fields.ts'
import { AgentId, AgentIdText, envelope } from '../identity/shapes.ts'
import { IdInput, oneOf } from '../inputs.ts'
import { fieldsQuery, listOf } from '../lists.ts'
import { DecidingUser } from './deciding-user.ts'
import { ACTIONS } from './rule-values.ts'

const STATES = ['waiting', 'approved', 'refused', 'used', 'expired'] as const

const ApprovalItem = z.object({
  action: z.enum(ACTIONS).meta({ description: 'What it does.' }),
  validatorId: z.string().meta({ description: 'The validator that receives the stake, or has it.' }),
  amount: Amount.meta({
    description: 'Stake or principal that it moves; of a join, the principal of the tokens that end.',
  }),
  stakedTokenId: z
    .string()
    .nullable()
    .meta({ description: 'The staked token that it takes from. Null: it is a stake.' }),
  joinedIds: z
    .array(z.string())
    .optional()
    .meta({ description: 'Of a join: the tokens that end; `stakedTokenId` stays.' }),
})

const Approval = z
  .object({
    approvalId: z.string().meta({ description: 'Id of the approval.', examples: ['apr_…'] }),
    state: z.enum(STATES).meta({
      description: 'used: the transaction was built · expired: neither refused nor used in time.',
    }),
    network: z.string().meta({ description: 'Name of the network.' }),
    sender: z.string().nullable().meta({ description: 'Address that signs. Null: unknown.' }),
    items: z.array(ApprovalItem).meta({ description: 'What the transaction does, in order.' }),
    amount: Amount.meta({ description: 'What all items move together; joins move nothing.' }),
    reason: z
      .object({
        rule: z.literal('approvalAbove').meta({ description: 'Name of the rule.' }),
        revision: z.int().min(1).meta({ description: 'The revision of the policy that has it.' }),
        limit: Amount.meta({ description: 'Up to this amount, no approval is needed.' }),
        actual: Amount.meta({ description: 'What the transaction moves, as the rule counts it.' }),
      })
      .meta({ description: 'The rule that asked for it.' }),
    wishHash: z.string().meta({
      description:
        'SHA-256 over `network`, `sender` and `items` as canonical JSON (RFC 8785), in hex: what the approval is for.',
    }),
    createdAt: IsoTime.meta({ description: 'When the agent first asked.' }),
    expiresAt: IsoTime.meta({ description: 'From this moment on it can be neither decided nor used.' }),
    decidedAt: IsoTime.nullable().meta({ description: 'When it was approved or refused. Null: not yet.' }),
    decidedBy: DecidingUser.nullable().meta({ description: 'Who decided. Null: nobody yet.' }),
    intentId: z
      .string()
      .nullable()
      .meta({ description: '`intentId` of the transaction that was built with it. Null: none was.' }),
  })
  .meta({ id: 'Approval', description: 'A transaction that needs the owner’s approval.' })

const ApprovalOfAgent = Approval.extend({
  agentId: AgentIdText.meta({ description: 'Id of the agent that asks.' }),
  agentName: z.string().meta({ description: 'Its name.' }),
}).meta({
  id: 'WaitingApproval',
  description: 'A transaction that needs approval, with the agent that asks.',
})

const APPROVALS = listOf('data', Approval, ['approvalId', 'state', 'items', 'amount', 'expiresAt'])
const WAITING = listOf('data', ApprovalOfAgent, [
  'approvalId',
  'agentId',
  'agentName',
  'state',
  'items',
  'amount',
  'expiresAt',
])

const ApprovalId = AgentId.extend({ approvalId: IdInput.meta({ description: 'Id of the approval.' }) })

/** Approvals: transactions that agents ask for and owners decide. */
export const approvalRows = {
  listApprovals: {
    tag: 'Mandates',
    summary: 'Approvals of an agent',
    description: 'Newest first.',
    params: AgentId,
    query: PageQuery.extend(fieldsQuery(APPROVALS)),
    list: APPROVALS,
    reply: envelope(z.array(Approval))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'Approvals' }),
    errors: ['not_found', 'store_not_ready'],
  },
  waitingApprovals: {
    tag: 'Mandates',
    summary: 'Approvals of all your agents',
    description:
      'Transactions that wait for your decision or, with `state`, that were decided or have expired, newest first, each with the agent that asks.',
    query: PageQuery.extend({
      state: oneOf([...STATES, 'decided'])
        .default('waiting')
        .meta({ description: 'Only those in this state; decided: all that do not wait.' }),
      all: z.boolean().default(false).meta({ description: 'Admins only: of agents of everybody.' }),
      ...fieldsQuery(WAITING),
    }),
    list: WAITING,
    reply: envelope(z.array(ApprovalOfAgent))
      .extend({ nextCursor: NextCursor, ...tokenUnit })
      .meta({ id: 'WaitingApprovals' }),
    errors: ['forbidden', 'store_not_ready'],
  },
  readApproval: {
    tag: 'Mandates',
    summary: 'One approval',
    description: 'What the transaction would do, which rule asked for approval, and what became of it.',
    params: ApprovalId,
    reply: envelope(Approval).extend(tokenUnit).meta({ id: 'ApprovalAnswer' }),
    errors: ['not_found', 'store_not_ready'],
  },
  decideApproval: {
    tag: 'Mandates',
    summary: 'Approve or refuse a transaction',
    description:
      'An approval lets exactly this transaction be built once, if it still complies with the policy then. An approval that is not used yet can still be refused; a refusal is final. May be repeated.',
    params: ApprovalId,
    body: z
      .strictObject({
        decision: oneOf(['approve', 'refuse']).meta({ description: 'Decision of the owner.' }),
      })
      .meta({ id: 'ApprovalDecision' }),
    reply: envelope(Approval).extend(tokenUnit).meta({ id: 'ApprovalDecided' }),
    errors: ['not_found', 'store_not_ready'],
  },
} as const satisfies Record<string, EndpointSpec>
