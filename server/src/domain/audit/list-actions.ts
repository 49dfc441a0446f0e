import type { ActionFilter, AgentAction, AgentActions } from '#ports/stores/agent-actions.ts'
import type { User } from '#ports/stores/users.ts'
import type { Fault } from '../../fault.ts'
import { adminOnly } from '../agents/management-rights.ts'

type Page = { readonly before: number | undefined; readonly limit: number }

/** The refusal if the user may not read the actions of everybody. */
export const refuseActions = (user: User): Fault | undefined =>
  adminOnly(user, 'read the audit log of everybody')

/** Lists the actions on all agents, with their authors. */
export function listActions({ actions }: { readonly actions: AgentActions }) {
  return async (
    filter: ActionFilter,
    { before, limit }: Page,
  ): Promise<{ readonly actions: readonly AgentAction[]; readonly next: number | undefined }> => {
    const found = await actions.list(filter, { before, limit: limit + 1 })
    const page = found.slice(0, limit)
    return { actions: page, next: found.length > limit ? page.at(-1)?.no : undefined }
  }
}
