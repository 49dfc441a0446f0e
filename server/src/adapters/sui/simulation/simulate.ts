import type { SuiGrpcClient } from '@mysten/sui/grpc'
import { Transaction } from '@mysten/sui/transactions'
import { normalizeStructTag, normalizeSuiAddress } from '@mysten/sui/utils'
import type { SimulatedEffects, Simulation, SimulationRequest } from '#ports/chain/simulation.ts'
import { decodePercent, type Hide } from '../../../secrets/hide-secrets.ts'
import type { Conversation } from '../connection/conversation.ts'
import { oneLine } from '../connection/one-line.ts'
import { check } from '../layouts/decode.ts'
import type { NetworkConstants } from '../networks/networks.ts'
import { explainAbort, refusedElsewhere, refusedWith } from './aborts.ts'

const INCLUDE = { effects: true, balanceChanges: true, objectTypes: true } as const

type Simulated = Awaited<ReturnType<typeof SuiGrpcClient.prototype.core.simulateTransaction<typeof INCLUDE>>>
type Executed = NonNullable<Simulated['Transaction']>
type SimulationTalk = Pick<Conversation, 'hideSecrets' | 'pauseIfAsked'> & { readonly signal: AbortSignal }
type Request = Pick<SimulationRequest, 'sender' | 'commands' | 'transaction'>

/**
 * Simulates the transaction on the node, which chooses coins and gas. A node that cannot simulate may still serve
 * reads, so a failure is returned as a value and does not count against the node.
 */
export async function simulateOn(
  client: SuiGrpcClient,
  { sender, commands, transaction }: Request,
  constants: NetworkConstants,
  { signal, hideSecrets: hide, pauseIfAsked }: SimulationTalk,
): Promise<Simulation> {
  const completed = Transaction.from(JSON.stringify(transaction))
  // An empty payment asks the node to choose one.
  completed.setGasPayment([])
  try {
    const simulated = await client.core.simulateTransaction({
      transaction: completed,
      include: INCLUDE,
      signal,
    })
    return simulated.$kind === 'Transaction'
      ? toSuccess(simulated.Transaction, sender, constants)
      : toFailure(simulated.FailedTransaction, constants, ourPackages(constants, commands), hide)
  } catch (cause) {
    signal.throwIfAborted()
    pauseIfAsked(cause)
    return toVerdict(cause, hide)
  }
}

function toSuccess(
  { effects, balanceChanges, objectTypes }: Executed,
  sender: string,
  constants: NetworkConstants,
) {
  const balances = balanceChanges
    .filter(({ address }) => normalizeSuiAddress(address) === sender)
    .map(({ coinType, amount }) => ({ coinType: toCoinType(coinType), change: BigInt(amount) }))
  const type = normalizeStructTag(constants.stakedTokenType)
  const operations = effects.changedObjects
    .filter(({ objectId }) => isOfType(objectTypes[objectId], type))
    .map(({ idOperation }) => idOperation)
  const stakedTokens: SimulatedEffects['stakedTokens'] = {
    created: operations.filter((operation) => operation === 'Created').length,
    changed: operations.filter((operation) => operation === 'None').length,
    removed: operations.filter((operation) => operation === 'Deleted').length,
  }
  return { kind: 'success', gas: gasOf(effects), effects: { balances, stakedTokens } } as const
}

/** Fields that the node omits are undefined, contrary to the SDK's types. */
function gasOf(effects: Partial<Executed['effects']> | null | undefined): bigint | undefined {
  const { computationCost, storageCost, storageRebate }: Partial<Executed['effects']['gasUsed']> =
    effects?.gasUsed ?? {}
  if (computationCost === undefined || storageCost === undefined || storageRebate === undefined) return
  const spent = BigInt(computationCost) + BigInt(storageCost) - BigInt(storageRebate)
  return spent > 0n ? spent : 0n
}

const isOfType = (text: string | undefined, type: string): boolean =>
  text !== undefined && normalizeStructTag(text) === type

/** The called package and the original package of its types: nodes report an abort under either id. */
const ourPackages = (
  { stakedTokenType }: NetworkConstants,
  commands: Request['commands'],
): ReadonlySet<string> =>
  new Set(
    [stakedTokenType, ...commands.flatMap((one) => (one.kind === 'moveCall' ? [one.target] : []))].map(
      (name) => normalizeSuiAddress(name.split('::')[0] ?? ''),
    ),
  )

function toFailure(
  { status, effects }: Executed,
  { name }: NetworkConstants,
  ours: ReadonlySet<string>,
  hide: Hide,
): Simulation {
  const { error } = status
  const gas = gasOf(effects)
  const abort = error?.MoveAbort
  if (abort === undefined)
    return { kind: 'failed', gas, reason: inPlainWords(oneLine(hide(error?.message ?? ''), REASON_LENGTH)) }
  const [module, code] = [toModule(abort.location?.module), Number(abort.abortCode)]
  // Clever-error codes include the source line and exceed 2^53.
  if (!Number.isSafeInteger(code))
    return {
      kind: 'failed',
      gas,
      reason: refusedWith(oneLine(hide(String(abort.abortCode)), REASON_LENGTH), module),
    }
  // Abort codes are specific to their package: code 7 of a coin's package is not that of the contract.
  const isOurs = ours.has(normalizeSuiAddress(abort.location?.package ?? ''))
  const words = isOurs
    ? explainAbort(name, module, code)
    : { name: undefined, message: refusedElsewhere(code, module) }
  return { kind: 'aborted', gas, module, code, ...words }
}

/** Longer than the type of any coin that staking touches. */
const LONGEST_TYPE = 300

/** The node is not trusted: an invalid type makes its answer unusable. */
function toCoinType(said: string): string {
  check(said.length <= LONGEST_TYPE && /^[\w:<>, ]+$/.test(said), 'a balance change names no type of coin')
  return said
}

/** The node is not trusted: only valid Move identifiers are passed on. */
const toModule = (said: string | undefined): string => (/^\w{1,128}$/.test(said ?? '') && said) || 'unknown'

/** The SDK's messages for missing coins, and the gRPC codes of a refused transaction, as opposed to a failed call. */
const MISSING_COINS = /^(Insufficient|Not enough)/i
const REASON_LENGTH = 300
const REFUSED_CODES = ['INVALID_ARGUMENT', 'FAILED_PRECONDITION', 'NOT_FOUND']
const UNSUPPORTED_CODES = ['UNIMPLEMENTED', 'PERMISSION_DENIED']

function toVerdict(cause: unknown, hide: Hide): Simulation {
  const message = cause instanceof Error ? cause.message : String(cause)
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (UNSUPPORTED_CODES.includes(code) || message.startsWith('HTTP 404'))
    return { kind: 'unavailable', reason: 'The node does not offer simulation.' }
  if (REFUSED_CODES.includes(code) || MISSING_COINS.test(message))
    // gRPC-web percent-encodes error messages.
    return {
      kind: 'failed',
      gas: undefined,
      reason: inPlainWords(oneLine(hide(decodePercent(message)), REASON_LENGTH)),
    }
  // Of an HTTP error only the status is passed on; the rest does not help the caller.
  const status = /^HTTP \d{3}[ \w]*/.exec(message)?.[0]
  return { kind: 'unavailable', reason: `The node could not simulate it${status ? ` (${status})` : ''}.` }
}

/** Plain explanations of common errors, by the wording of nodes and the SDK. */
const PLAIN_WORDS: readonly (readonly [said: RegExp, meaning: string])[] = [
  [/InsufficientGas/i, 'The transaction needs more gas than its budget allows: raise the budget.'],
  [
    /Insufficient|Not enough/i,
    'The sender does not have enough coins for the amount and the gas: choose a smaller amount, or send coins to the sender.',
  ],
]

function inPlainWords(said: string): string {
  if (said === '') return 'The node does not say why.'
  const [, meaning] = PLAIN_WORDS.find(([name]) => name.test(said)) ?? []
  return meaning ? `${meaning} The node says: ${said}` : said
}
