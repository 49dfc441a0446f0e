import type { Draft } from './draft.ts'
import type { Policy } from './rules.ts'

/** A draft and the policy it was started from, so that a policy changed meanwhile is not overwritten. */
type StoredDraft = { readonly shown: Policy | null; readonly draft: Draft }

/** Drafts of policies live as long as the browser tab, by the agent that each is for. */
const PREFIX = 'stakewright.policy-draft.'

/** `fresh` is a draft of this version of the page: a stored draft of another shape is ignored. */
export function loadDraft(agentId: string, fresh: Draft): StoredDraft | undefined {
  try {
    const kept = toStored(JSON.parse(sessionStorage.getItem(PREFIX + agentId) ?? 'null'))
    return kept && hasShape(kept.draft, fresh) ? kept : undefined
  } catch {
    return undefined
  }
}

export const hasStoredDraft = (agentId: string): boolean => {
  try {
    return sessionStorage.getItem(PREFIX + agentId) !== null
  } catch {
    return false
  }
}

export function storeDraft(agentId: string, kept: StoredDraft): void {
  try {
    sessionStorage.setItem(PREFIX + agentId, JSON.stringify(kept))
  } catch {
    // Without storage a reload begins anew.
  }
}

export function dropDraft(agentId: string): void {
  try {
    sessionStorage.removeItem(PREFIX + agentId)
  } catch {
    // Then nothing was kept.
  }
}

/** Called at sign-out: the next user of the tab must not see the drafts. */
export function dropAllDrafts(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  } catch {
    // Then nothing was kept.
  }
}

/** The cast holds because only `storeDraft` writes these entries. */
const toStored = (stored: unknown) => stored as StoredDraft | null

const hasShape = (draft: Draft, fresh: Draft): boolean => {
  const kinds = (one: Draft) =>
    Object.entries(one)
      .map(([name, value]) => `${name} ${typeof value}`)
      .toSorted()
  return JSON.stringify(kinds(draft)) === JSON.stringify(kinds(fresh))
}
