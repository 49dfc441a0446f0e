import { GrpcTypes } from '@mysten/sui/grpc'
import { idOf } from './world.ts'

/** The planned result of simulations. */
export type SimulationPlan = Finding & {
  /** Whether the answer has the gas used; default true. */
  readonly tellsGas?: boolean
}

type Finding =
  /** `coinType`: coin that the gas is paid in, instead of SUI. */
  | { readonly kind: 'success'; readonly coinType?: string }
  /** `package`: where the abort happens, instead of the called package. */
  | {
      readonly kind: 'abort'
      readonly module: string
      readonly code: number | bigint
      readonly package?: string
    }
  | { readonly kind: 'out of gas' }

export const SIMULATED_GAS = 4_000_000n
const GAS_USED = { computationCost: 1_000_000n, storageCost: 5_000_000n, storageRebate: 2_000_000n }
const { ChangedObject_IdOperation: ids, ExecutionError_ExecutionErrorKind: errors } = GrpcTypes

/** Effect of a call on staked tokens, by the name of the called function. */
const OPERATIONS: readonly (readonly [RegExp, GrpcTypes.ChangedObject_IdOperation])[] = [
  [/add_stake|stake_with_pool|split$/, ids.CREATED],
  [/withdraw_stake$/, ids.DELETED],
]

/** Simulates a transaction only so far that the created and deleted staked tokens are right. */
export function simulate(
  { transaction }: GrpcTypes.SimulateTransactionRequest,
  plan: SimulationPlan,
  stakedTokenType: string,
): object {
  const calls = callsIn(transaction)
  if (plan.kind !== 'success')
    return { transaction: { digest: 'simulated', effects: failed(plan, calls.at(-1)?.package ?? '') } }
  const sender = transaction?.sender ?? ''
  const operations = new Map(calls.flatMap(operationsOf))
  const changedObjects = [...operations].map(([objectId, idOperation]) => ({
    objectId,
    objectType: stakedTokenType,
    idOperation,
  }))
  const balanceChanges = [
    { address: sender, coinType: plan.coinType ?? '0x2::sui::SUI', amount: String(-SIMULATED_GAS) },
  ]
  const effects = { status: { success: true }, ...gasUsed(plan), changedObjects }
  return { transaction: { digest: 'simulated', effects, balanceChanges } }
}

type Call = {
  readonly package: string
  readonly name: string
  readonly objectIds: readonly (string | undefined)[]
}
type Operation = readonly [objectId: string, operation: GrpcTypes.ChangedObject_IdOperation]

function operationsOf({ name, objectIds }: Call, at: number): readonly Operation[] {
  const [into = '', other = ''] = objectIds
  // The first token absorbs the second. The caller's map keeps one entry per object, however often it changes.
  if (/::join/.test(name))
    return [
      [into, ids.NONE],
      [other, ids.DELETED],
    ]
  const isRequest = name.includes('request_withdraw_stake') && !name.includes('sui_system')
  const operation = isRequest ? ids.NONE : OPERATIONS.find(([pattern]) => pattern.test(name))?.[1]
  return operation === undefined ? [] : [[idOf(0x5000 + at), operation]]
}

function failed(plan: Exclude<SimulationPlan, { kind: 'success' }>, called: string): object {
  const error =
    plan.kind === 'abort'
      ? {
          kind: errors.MOVE_ABORT,
          command: 1n,
          errorDetails: {
            oneofKind: 'abort',
            abort: {
              abortCode: BigInt(plan.code),
              location: { package: plan.package ?? called, module: plan.module },
            },
          },
        }
      : {
          kind: errors.INSUFFICIENT_GAS,
          description: 'InsufficientGas',
          errorDetails: { oneofKind: undefined },
        }
  return { status: { success: false, error }, ...gasUsed(plan), changedObjects: [] }
}

const gasUsed = ({ tellsGas = true }: SimulationPlan) => (tellsGas ? { gasUsed: GAS_USED } : {})

function callsIn(transaction: GrpcTypes.Transaction | undefined): readonly Call[] {
  const data = transaction?.kind?.data
  if (data?.oneofKind !== 'programmableTransaction') return []
  const { commands, inputs } = data.programmableTransaction
  return commands.flatMap(({ command }) => {
    if (command.oneofKind !== 'moveCall') return []
    const { package: of = '', module, function: called, arguments: given } = command.moveCall
    const objectIds = given.map(({ input }) => (input === undefined ? undefined : inputs[input]?.objectId))
    return [{ package: of, name: `${module}::${called}`, objectIds }]
  })
}
