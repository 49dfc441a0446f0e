import type { Selectable } from 'kysely'
import type { Logger } from '#ports/logger.ts'
import type { Secrets } from '#ports/secrets.ts'
import { Fault } from '../../../../fault.ts'
import type { Schema } from '../../schema.ts'

export type ApprovalRow = Selectable<Schema['approvals']>

/** All columns: owners decide by the wish, builds by the rest. */
const DECIDING = [
  'id',
  'agent_no',
  'no',
  'wish_hash',
  'wish',
  'reason',
  'state',
  'created_at',
  'expires_at',
  'decided_at',
  'decided_by',
  'decided_role',
  'intent_id',
] as const

type Digest = Pick<Secrets, 'digest'>
type Content = Pick<ApprovalRow, (typeof DECIDING)[number]>

/** Without the pepper, nobody who can write the database can approve, change or prolong an approval. */
const approvalMac = (secrets: Digest, row: Content): string =>
  secrets.digest('approval record', JSON.stringify(DECIDING.map((column) => row[column])))

/** The row with the MAC of its content. */
export const sealed = (secrets: Digest, row: Content): ApprovalRow => ({
  ...row,
  mac: approvalMac(secrets, row),
})

export const isSealedApproval = (secrets: Digest, row: ApprovalRow): boolean =>
  row.mac === approvalMac(secrets, row)

export type SealNeeds = { readonly secrets: Digest; readonly logger: Pick<Logger, 'error'> }

/** Whether the row's seal is right; logs if not. */
export function isGenuine({ secrets, logger }: SealNeeds, row: ApprovalRow): boolean {
  if (isSealedApproval(secrets, row)) return true
  logTampering(logger, row, 'its MAC does not match its content')
  return false
}

/** Throws if the seal is wrong, for callers that name the approval. */
export function assertGenuine(needs: SealNeeds, row: ApprovalRow): void {
  if (!isGenuine(needs, row)) throw refusal()
}

/** A reservation built with the approval proves that it was used, whatever its row says. */
export function refuseUsedTwice({ logger }: SealNeeds, row: ApprovalRow): never {
  logTampering(logger, row, 'something was built with it before')
  throw refusal()
}

const logTampering = (
  logger: Pick<Logger, 'error'>,
  { id, agent_no: agentNo }: ApprovalRow,
  why: string,
): void =>
  logger.error('an approval was changed outside the service and is ignored', new Error(why), {
    approvalId: id,
    agentNo,
  })

function refusal(): Fault {
  const fix = 'Build without `approvalId` to ask for a new approval, and tell the operator of the service.'
  return new Fault(
    'forbidden',
    `The approval was changed outside of the service, so it is not valid. ${fix}`,
    { fix },
  )
}
