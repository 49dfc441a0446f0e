import { type EndpointName, ROUTES } from '@stakewright/contract'

/** An endpoint as a command: its words, and the inputs that are positional arguments, in order. */
export type EndpointCommand = {
  readonly endpoint: EndpointName
  readonly words: string
  readonly positionals: readonly string[]
}

/**
 * Endpoints with chosen words. Two may share them: the number of positional arguments tells them apart. Every other
 * endpoint is a command by its name in the contract.
 */
const NAMED: readonly (readonly [EndpointName, words: string, ...positionals: string[]])[] = [
  ['validators', 'validators'],
  ['validator', 'validator', 'id'],
  ['apyHistory', 'apy'],
  ['validatorApyHistory', 'apy', 'id'],
  ['epoch', 'epoch'],
  ['scoredValidators', 'scored'],
  ['allocate', 'allocate', 'amount'],
  ['planRebalance', 'rebalance', 'owner'],
  ['backtest', 'backtest', 'amount'],
  ['positions', 'positions', 'owner'],
  ['rewards', 'rewards', 'owner'],
  ['delegators', 'delegators', 'validatorId'],
  ['buildStake', 'tx stake', 'validatorId', 'amount'],
  ['buildUnstake', 'tx unstake', 'stakedTokenId'],
  ['buildWithdraw', 'tx withdraw', 'stakedTokenId'],
  ['buildJoin', 'tx join'],
  ['buildBatch', 'tx batch'],
  ['usage', 'usage'],
  ['sandboxKey', 'key', 'agentName'],
  ['sandboxExecute', 'sandbox execute'],
  ['sandboxAdvance', 'sandbox advance', 'epochs'],
  ['selfRegister', 'register', 'email', 'agentName'],
  ['verifyEmail', 'verify-email', 'token'],
  ['resendVerification', 'verify-email resend', 'email'],
  ['requestCode', 'sign-in code', 'email'],
  ['exchangeCode', 'sign-in token', 'email', 'code'],
  ['listAgents', 'keys'],
  ['registerAgent', 'keys register', 'agentName'],
  ['rotateKey', 'keys rotate', 'id'],
  ['revokeAgent', 'keys revoke', 'id'],
  ['updateAgent', 'keys update', 'id'],
  ['agentProfile', 'keys profile', 'id'],
  ['agentAudit', 'keys audit', 'id'],
]

/** Default inputs. */
export const DEFAULTS: { readonly [Name in EndpointName]?: Readonly<Record<string, unknown>> } = {
  sandboxKey: { agentName: 'stakewright-cli' },
}

export const ENDPOINT_COMMANDS: readonly EndpointCommand[] = [
  ...NAMED.map(([endpoint, words, ...positionals]) => ({ endpoint, words, positionals })),
  ...unnamed(),
]

function unnamed(): readonly EndpointCommand[] {
  const named = new Set(NAMED.map(([endpoint]) => endpoint))
  const names = Object.keys(ROUTES) as EndpointName[]
  return names
    .filter((endpoint) => !named.has(endpoint))
    .map((endpoint) => ({
      endpoint,
      words: toKebab(endpoint),
      positionals: [...ROUTES[endpoint].path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    }))
}

/** `maxValidators` becomes `max-validators`. */
export function toKebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
