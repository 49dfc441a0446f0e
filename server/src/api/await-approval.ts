import { type EndpointName, ROUTES } from '@stakewright/contract'
import { AwaitsApproval } from '#domain/policy/approvals/approve-transaction.ts'
import type { Approval } from '#ports/stores/approvals.ts'
import { toIso } from '../basics/iso-time.ts'
import type { Answer } from './answer.ts'
import { type BuildEntry, noteBuild } from './audit-entry.ts'

/** The request of a build, and the page on which the owner of the agent decides about an approval. */
type BuildRequest = {
  readonly endpoint: EndpointName
  readonly input: object
  readonly pageOf: (approvalId: string) => string
  readonly audit: BuildEntry
}

/** Answers 202 if the owner of the agent must approve the build first. */
export async function buildOrAwaitApproval<Built>(
  request: BuildRequest,
  building: Promise<Built>,
): Promise<Built | { readonly answer: Answer }> {
  try {
    return await building
  } catch (error) {
    if (!(error instanceof AwaitsApproval)) throw error
    noteBuild(request.audit, { approvalId: error.approval.id })
    return { answer: { status: 202, body: toWaiting(error.approval, request) } }
  }
}

/** Says why nothing was built, who must approve it where and until when, and which request to send after that. */
function toWaiting({ id, reason, expiresAt }: Approval, { endpoint, input, pageOf }: BuildRequest) {
  const { method, path } = ROUTES[endpoint]
  return {
    approvalId: id,
    expiresAt: toIso(expiresAt),
    message: `Nothing was built yet: this moves ${reason.actual} smallest units; the owner of the agent must approve transactions above ${reason.limit}.`,
    fix: `Ask the owner of the agent to approve it at ${pageOf(id)} before ${toIso(expiresAt)}. After that send the same request with \`approvalId\`: it is \`next\`.`,
    next: { method, path, body: { ...input, approvalId: id } },
  }
}
