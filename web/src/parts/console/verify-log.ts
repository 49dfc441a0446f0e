import { type LogReading, readLog, useBrokenLog, useLogReading } from '../../data/account/audit-proof.ts'
import { describeError } from '../../data/errors/describe-error.ts'
import { formatDay, formatTime, plural } from '../format.ts'
import { h, html, type View } from '../html.ts'
import { SignedAt } from './service-health.ts'

type Proof = Extract<LogReading, { kind: 'done' }>['proof']

/** A button that verifies the whole audit log, and the result. */
export function VerifyLog(): View {
  const reading = useLogReading()
  const isReading = reading.kind === 'reading'
  return html`<div class="card row spread verify"><div><strong>Audit log</strong> <span class="small soft">${h(SignedAt, {})}</span>
      ${!isBroken(reading) && html`<p class="small" role="status">${readingText(reading)}</p>`}</div>
    <button type="button" class="button" aria-disabled=${isReading} onClick=${() => void readLog()}>${isReading ? 'Reading …' : 'Verify the log'}</button></div>`
}

const isBroken = (reading: LogReading): boolean => reading.kind === 'done' && !reading.proof.isIntact

function readingText(reading: LogReading): View {
  if (reading.kind === 'done') return intactText(reading.proof)
  if (reading.kind === 'failed') return html`<span class="bad">${describeError(reading.error)}</span>`
  return 'Reads the whole log and says whether anything in it was changed, dropped, added or cut off.'
}

function intactText({ batches, checkpoints, from, to, checkedAt }: Proof): View {
  const span =
    from === null || to === null
      ? ''
      : from === to
        ? ` of ${formatDay(from)}`
        : ` from ${formatDay(from)} to ${formatDay(to)}`
  return html`<span class="good"><strong>Intact:</strong></span> nothing in it was changed, dropped, added or cut off. ${readAt(checkedAt)} ${plural(batches ?? 0, 'batch', 'batches')}${span} and ${plural(checkpoints ?? 0, 'signature')}, made once an hour, each over everything before it.`
}

const readAt = (at: string): string => `Read at ${formatTime(Date.parse(at))}.`

/** A notice on every view of an admin if the log was changed outside the service, with what to do first. */
export function BrokenLog(): View {
  const broken = useBrokenLog()
  if (!broken) return null
  const { reason, brokenAt, checkedAt } = broken
  // Without a batch something else than the log was changed, such as a row of another table.
  const what =
    brokenAt === 0
      ? 'The store does not pass the verification of its audit log'
      : 'The audit log is not intact'
  return html`<div class="notice broken-log" data-tone="bad" role="alert"><strong>${what}: ${reason}.</strong>
    <span>Somebody has changed it outside the service. ${readAt(checkedAt)} Copy the store before you change anything, then compare it with your last backup. <a href="/docs/limits">What the log proves</a></span></div>`
}

/** What readers of the log may rely on, and who can prove it. */
export function LogPromise({ admin }: { readonly admin: boolean }): View {
  if (useBrokenLog())
    return html`<span class="bad">From the audit log, which is not intact: these entries may have been changed.</span>`
  return admin
    ? html`From the audit log. An entry that was changed or removed is found when you <a href="/console?agents=actions">verify the log</a>.`
    : 'From the audit log. An entry that was changed or removed is found when the log is verified. Only an admin of this service can do that, because it reads the entries of everybody: ask one if you need the proof.'
}
