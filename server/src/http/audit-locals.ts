import type { AuditEntry } from '#api/audit-entry.ts'

/** The audit entry of a request. The guard puts it into `locals` of its exchange; nothing else writes there. */
export const toAuditEntry = (locals: unknown): AuditEntry | undefined => locals as AuditEntry | undefined
