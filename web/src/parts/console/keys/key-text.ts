import type { AuditEntry } from '../../../data/account/agents.ts'
import type { NamedKey } from '../../../data/account/keys.ts'
import { SCOPES } from '../../../data/words/api-words.ts'
import { formatDateTime } from '../../format.ts'

/** The scopes, networks and end of a named key. */
type Terms = NonNullable<NonNullable<AuditEntry['key']>['terms']>

export const mayText = (scopes: NamedKey['scopes']): string => scopes.map((one) => SCOPES[one]).join('; ')

export const untilText = (end: string | null): string =>
  end === null ? 'no end' : formatDateTime(Date.parse(end))

/** A sentence about the terms of a new key. */
export function termsText({ scopes, allowedNetworks, expiresAt }: Terms): string {
  const from = allowedNetworks.length === 0 ? 'everywhere' : allowedNetworks.join(', ')
  const until = expiresAt === null ? 'without an end' : `until ${untilText(expiresAt)}`
  return `It may ${mayText(scopes)}; accepted from ${from}, ${until}.`
}
