import type { CheckedOf, EndpointSpec, InPartOf, InputOf, ReplyOf } from './endpoint.ts'
import { agentRows } from './identity/agents.ts'
import { auditRows } from './identity/audit.ts'
import { keyRows } from './identity/keys.ts'
import { registrationRows } from './identity/registration.ts'
import { serviceRows } from './identity/service.ts'
import { totpRows } from './identity/totp.ts'
import { userRows } from './identity/users.ts'
import type { ListSpec, SortedListSpec } from './lists.ts'
import { approvalRows } from './mandates/approvals.ts'
import { policyRows } from './mandates/policy.ts'
import { reservationRows } from './mandates/reservations.ts'
import type { EndpointName } from './routes.ts'
import { accuracyRows } from './staking/accuracy.ts'
import { agentDataRows } from './staking/agent-data.ts'
import { allocationRows } from './staking/allocation.ts'
import { backtestRows } from './staking/backtest.ts'
import { historyRows } from './staking/history.ts'
import { networkRows } from './staking/network.ts'
import { positionRows } from './staking/positions.ts'
import { rebalanceRows } from './staking/rebalance.ts'
import { stateRows } from './staking/state.ts'
import { validatorRows } from './staking/validators.ts'
import { transactionRows } from './transactions/build.ts'
import { intentRows } from './transactions/intent.ts'
import { sandboxRows } from './transactions/sandbox.ts'

export { CHAIN_ID_FORM } from './chain-id.ts'
export { type Effect, effectOf, isSafeToRepeat } from './effects.ts'
export {
  type AddressBudget,
  type AllFields,
  type EndpointSpec,
  type ListSum,
  type ReadOnly,
  TAGS,
  type Tag,
} from './endpoint.ts'
export { ERRORS, type ErrorBody, type ErrorCode, OTHER_STATUSES } from './errors.ts'
export { AMOUNT_FORM } from './fields.ts'
export { ACTOR_KINDS, type ActionName, type ActorKind } from './identity/audit.ts'
export { PREVIOUS_KEY_ID } from './identity/shapes.ts'
export { isRecoveryCode } from './identity/totp.ts'
export { LIMITS, TIER_NAMES, TIERS, type Tier } from './limits.ts'
export { type ListSpec, replyInPart, type SortedListSpec } from './lists.ts'
export type { PolicyDocument, PolicyRule } from './mandates/rules.ts'
export { IdempotencyKey, requestHeaders } from './request-headers.ts'
export { type Auth, type EndpointName, endpointAt, isTool, ROUTES, type Route, toolName } from './routes.ts'
export { type KeyScope, neededScope, SCOPES } from './scopes.ts'
export { editDistance, nearestName, nearestValue } from './texts/near-name.ts'
export { plainIssue } from './texts/plain-issue.ts'
export { fixOfRefusal, type RefusalFix } from './texts/refusal-fix.ts'
export { hasSecret } from './texts/secret-shapes.ts'
export { httpDescription, inWords, REST_WORDS, type Term, translate, type Words } from './texts/words.ts'

export type { Command, CommandArgument } from './transactions/commands.ts'
export type { Intent } from './transactions/intent.ts'

/** Every endpoint, in the order of the documentation. */
export const ENDPOINTS = {
  ...validatorRows,
  ...historyRows,
  ...stateRows,
  ...accuracyRows,
  ...networkRows,
  ...agentDataRows,
  ...allocationRows,
  ...rebalanceRows,
  ...backtestRows,
  ...positionRows,
  ...transactionRows,
  ...policyRows,
  ...approvalRows,
  ...reservationRows,
  ...intentRows,
  ...sandboxRows,
  ...registrationRows,
  ...agentRows,
  ...keyRows,
  ...auditRows,
  ...serviceRows,
  ...userRows,
  ...totpRows,
} as const satisfies Record<EndpointName, EndpointSpec>

type Endpoints = typeof ENDPOINTS

/** The endpoints whose callers may select fields of a list. */
export type ListName = {
  [Name in EndpointName]: Endpoints[Name] extends { readonly list: ListSpec } ? Name : never
}[EndpointName]

/** The endpoints whose list callers may sort. */
export type SortedListName = {
  [Name in EndpointName]: Endpoints[Name] extends { readonly list: SortedListSpec } ? Name : never
}[EndpointName]

export type Input<Name extends EndpointName> = InputOf<Endpoints[Name]>
export type Checked<Name extends EndpointName> = CheckedOf<Endpoints[Name]>
export type Reply<Name extends EndpointName> = ReplyOf<Endpoints[Name]>
export type ReplyInPart<Name extends EndpointName> = InPartOf<Endpoints[Name]>
