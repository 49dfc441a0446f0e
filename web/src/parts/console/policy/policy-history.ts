import { useRevisions } from '../../../data/policy/policy.ts'
import type { PolicyRevision } from '../../../data/policy/rules.ts'
import { h, html, type View } from '../../html.ts'
import { Id } from '../../id.ts'
import { skeleton, whenLoaded } from '../../state.ts'
import { whenText } from '../../time.ts'
import { userText } from '../action-text.ts'
import { ListEnd } from '../list-end.ts'
import type { Names } from '../validator-names.ts'
import { policyChanges } from './policy-changes.ts'

/** All revisions of the policy: changes, author, time and hash. */
export function PolicyHistory({ id, names }: { readonly id: string; readonly names: Names }): View {
  const revisions = useRevisions(id)
  return whenLoaded(
    revisions,
    (found) =>
      html`<ol class="revisions">${found.map((one, index) => html`<li key=${one.revision}>${revisionRow(one, found[index + 1], names)}</li>`)}</ol>
      ${h(ListEnd, { list: revisions, what: 'revisions', which: 'newest' })}`,
    skeleton('100%', '80px'),
  )
}

/** The oldest revision that was read is shown in full. */
const revisionRow = (one: PolicyRevision, before: PolicyRevision | undefined, names: Names): View =>
  html`<div class="row spread"><strong>Revision ${String(one.revision)}</strong><span class="soft small">${whenText(one.changedAt)}</span></div>
    <p class="small soft">${one.changedBy.role === 'admin' ? 'An admin' : 'Its owner'}${one.changedBy.id !== null && html`, <bdi>${userText(one.changedBy.id)}</bdi>`} · hash ${h(Id, { id: one.hash, what: 'hash of this revision' })}</p>
    ${policyChanges(before ?? null, one, names)}`
