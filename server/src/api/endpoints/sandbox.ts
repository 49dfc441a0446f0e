import type { Checked, Reply } from '@stakewright/contract'
import type { CurrentAgent } from '#domain/agents/current-agent.ts'
import type { issueSandboxKey } from '#domain/agents/registration/sandbox-keys.ts'
import type { CurrentNetwork } from '#domain/network/current-network.ts'
import { refuseOtherCommands } from '#domain/staking/intents/refuse-other-commands.ts'
import type { ExecutionResult, Sandbox } from '#ports/chain/sandbox.ts'
import type { StakingAction, StakingChain } from '#ports/chain/staking-chain.ts'
import { wrongField } from '../../fault.ts'
import type { TokenUnit } from '../../networks.ts'
import type { Endpoints } from '../endpoint.ts'
import { toKey } from './shapes.ts'

type Needs = {
  readonly sandbox: Sandbox
  readonly commandsFor: StakingChain['commandsFor']
  readonly issueKey: ReturnType<typeof issueSandboxKey>
  readonly network: CurrentNetwork
  /** A digest of a client's network. */
  readonly networkIdOf: (client: string) => string
  /** Reads the chain at once, so that the caller's next read includes its own change. */
  readonly refresh: () => Promise<void>
  /** Requests that one address may send in a minute. */
  readonly perAddress: number
  readonly token: TokenUnit
}

const KEEP_IT = 'Store this key: it is not shown again. It works at once, on this sandbox only.'

/** Endpoints that exist for the sandbox only. */
export function sandboxEndpoints({
  sandbox,
  commandsFor,
  issueKey,
  network,
  networkIdOf,
  refresh,
  perAddress,
  token,
}: Needs) {
  return {
    sandboxKey: {
      handle: async ({ agentName }, { client, via, note }) => {
        const { agent, apiKey } = await issueKey({ agentName, origin: { client, via } })
        note({ agentId: agent.id })
        return {
          reply: {
            success: true,
            data: toKey(agent, apiKey, `${KEEP_IT}${addressLimit(agent, perAddress)}`),
          },
        }
      },
    },
    sandboxExecute: {
      requires: 'data',
      handle: async ({ sender, commands, intent }, { caller: { agent }, client }) => {
        if (intent?.sender && intent.sender !== sender) throw otherSender()
        const { snapshot } = network.read()
        const effects = intent?.expectedEffects?.map(toAction)
        if (effects)
          refuseOtherCommands(
            commands,
            effects.flatMap((action) => commandsFor(snapshot, action)),
          )
        const terms = {
          by: { agentId: agent.id, networkId: networkIdOf(client) },
          nonce: intent?.nonce,
          lastEpoch: intent?.expiresEpoch ?? undefined,
        }
        const result = await sandbox.execute(sender, commands, terms)
        await refresh()
        return { reply: { ...toReply(result, network.read().snapshot.epoch.number), ...token } }
      },
    },
    sandboxAdvance: {
      requires: 'data',
      handle: async ({ epochs }, { caller: { agent }, client }) => {
        const networkId = networkIdOf(client)
        const epoch = await sandbox.advance(epochs, { agentId: agent.id, networkId })
        await refresh()
        return { reply: { epoch } }
      },
    },
  } satisfies Endpoints
}

const otherSender = () =>
  wrongField('sender', 'is not the one that `intent` names', {
    instead: 'execute it as that sender, or build it again with this one',
  })

type Effect = NonNullable<NonNullable<Checked<'sandboxExecute'>['intent']>['expectedEffects']>[number]

/** An effect that lacks a field becomes an action that no build has, so its intent fits no commands. */
function toAction({ action, validator, stakedTokenId, stakedTokenIds, amount }: Effect): StakingAction {
  if (action === 'join') return { kind: action, stakedTokenIds: stakedTokenIds ?? [] }
  if (action === 'stake') return { kind: action, validatorId: validator ?? '', amount: BigInt(amount ?? 0) }
  const part = amount === undefined ? undefined : BigInt(amount)
  return { kind: action, stakedTokenId: stakedTokenId ?? '', amount: part }
}

/** Names the limit of the address if it is below that of the key, because it applies first then. */
const addressLimit = ({ limits }: CurrentAgent, perAddress: number): string =>
  perAddress < limits.rpm
    ? ` One address may send ${perAddress} requests a minute, whatever keys it uses (LIMIT_IP_RPM).`
    : ''

function toReply(result: ExecutionResult, epoch: number): Omit<Reply<'sandboxExecute'>, keyof TokenUnit> {
  if (result.kind === 'aborted') {
    const { module, code, name, message } = result
    const abort = { module, code, name, message }
    return { status: 'aborted', epoch, created: [], changed: [], consumed: [], coinsPaidOut: '0', abort }
  }
  return {
    status: 'done',
    epoch: result.epoch,
    created: result.created.map(({ id, validatorId, principal, activationEpoch }) => ({
      stakedTokenId: id,
      validatorId,
      principal: String(principal),
      activationEpoch,
    })),
    changed: result.changed.map(({ id, withdrawEpoch }) => ({
      stakedTokenId: id,
      withdrawEpoch: withdrawEpoch ?? null,
    })),
    consumed: [...result.consumed],
    coinsPaidOut: String(result.coinsPaidOut),
  }
}
