import { z } from 'zod'
import { ChainId, ChainIdInput, ShownId } from '../chain-id.ts'
import type { EndpointSpec } from '../endpoint.ts'
import { Amount, EpochNumber, tokenUnit } from '../fields.ts'
import { AgentKey, AgentName } from '../identity/shapes.ts'
import { wholeFrom } from '../inputs.ts'
import { LIMITS } from '../limits.ts'
import { ACTIONS } from '../mandates/rule-values.ts'
import { inThousands } from '../texts/in-thousands.ts'
import { Command } from './commands.ts'

/** As in the intent of a build. MCP may have abbreviated the ids. */
const Effect = z.object({
  action: z.enum(ACTIONS).meta({ description: 'What is done.' }),
  validator: ShownId.optional().meta({ description: 'Validator that receives the stake.' }),
  stakedTokenId: ShownId.optional().meta({ description: 'The token to unstake or withdraw.' }),
  stakedTokenIds: z
    .array(ShownId)
    .max(LIMITS.joinedTokens)
    .optional()
    .meta({ description: 'The tokens to join.' }),
  amount: Amount.optional().meta({ description: 'How much; absent: the whole token.' }),
})

/** Endpoints of the simulated chain. */
export const sandboxRows = {
  sandboxKey: {
    tag: 'Sandbox',
    summary: 'A builder key for the simulated chain',
    description: `An active builder key at once, without a mail. Only on the sandbox; ${LIMITS.sandboxKeysPerIpHour} an hour per address.`,
    body: z.strictObject({ agentName: AgentName }).meta({ id: 'SandboxKeyRequest' }),
    status: 201,
    reply: AgentKey,
    errors: ['rate_limited', 'store_not_ready'],
  },
  sandboxExecute: {
    tag: 'Sandbox',
    summary: 'Run commands on the simulated chain',
    description: `Runs \`commands\` as \`sender\`, all or nothing, by the contract’s rules. Each agent is lent up to ${inThousands(LIMITS.sandboxLoanCoins)} tokens; what is withdrawn is paid back.`,
    body: z
      .strictObject({
        sender: ChainIdInput.meta({ description: 'The address that runs them.' }),
        commands: z
          .array(Command)
          .min(1, { error: 'must have at least 1 command' })
          .max(LIMITS.executedCommands, { error: `must have at most ${LIMITS.executedCommands} commands` })
          .meta({ description: '`commands` of a build, in order.' }),
        intent: z
          .looseObject({
            expiresEpoch: EpochNumber.nullable().meta({ description: 'Last epoch; null is refused.' }),
            sender: ShownId.nullish().meta({ description: 'As `sender`.' }),
            nonce: z.string().max(64).optional().meta({ description: 'Names it.' }),
            expectedEffects: z
              .array(Effect)
              .max(LIMITS.batchItems)
              .optional()
              .meta({ description: 'Of `commands`.' }),
          })
          .optional()
          .meta({
            description:
              '`intent` of that build: it runs once, as its sender, until it expires; repeats get the first answer.',
          }),
      })
      .meta({ id: 'ExecuteRequest' }),
    reply: z
      .object({
        status: z
          .enum(['done', 'aborted'])
          .meta({ description: 'aborted: the contract refused; nothing changed.' }),
        epoch: EpochNumber,
        created: z
          .array(
            z.object({
              stakedTokenId: ChainId,
              validatorId: ChainId,
              principal: Amount,
              activationEpoch: EpochNumber,
            }),
          )
          .meta({ description: 'Tokens that were made.' }),
        changed: z
          .array(
            z.object({
              stakedTokenId: ChainId,
              withdrawEpoch: EpochNumber.nullable().meta({
                description: 'The epoch from which it can be withdrawn. Null: not requested.',
              }),
            }),
          )
          .meta({ description: 'Tokens whose state changed.' }),
        consumed: z.array(ChainId).meta({ description: 'Tokens that no longer exist.' }),
        coinsPaidOut: Amount,
        ...tokenUnit,
        abort: z
          .object({
            module: z.string().meta({ description: 'What aborted.' }),
            code: z.int().meta({ description: 'The abort code of the contract.' }),
            name: z.string().meta({ description: 'Name of the abort code.' }),
            message: z.string().meta({ description: 'What the code means.' }),
          })
          .optional()
          .meta({ description: 'The contract’s refusal.' }),
      })
      .meta({ id: 'ExecuteResult' }),
    errors: ['forbidden'],
  },
  sandboxAdvance: {
    tag: 'Sandbox',
    summary: 'Move the simulated chain’s time',
    description: `Completes \`epochs\` epochs; the next starts now. At most ${inThousands(LIMITS.sandboxEpochsPerHour)} an hour by an agent, ${inThousands(LIMITS.sandboxEpochsPerIpHour)} by one address.`,
    body: z
      .strictObject({
        epochs: wholeFrom(1, 100).default(1).meta({ description: 'Epochs to complete.' }),
      })
      .meta({ id: 'AdvanceRequest' }),
    bodyOptional: true,
    reply: z.object({ epoch: EpochNumber }).meta({ id: 'AdvanceResult' }),
  },
} as const satisfies Record<string, EndpointSpec>
