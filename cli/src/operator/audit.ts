import { parseArgs } from 'node:util'
import type { Result } from '../command.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

/** `audit verify`: reads the whole audit log of the data folder, also while the service runs, and says if it is whole. */
export async function verifyAudit(args: readonly string[]): Promise<Result> {
  parseArgs({ args: [...args], options: { json: { type: 'boolean' } } })
  const config = await readOperatorConfig()
  const { verifyAuditLog } = await loadService(() => import('@stakewright/server/operator/operator.ts'))
  const verdict = await verifyAuditLog(config)
  if (verdict.kind === 'broken') {
    const { seq, reason } = verdict
    const note = reason.startsWith('the management action')
      ? `The audit log is not as it was written: ${reason}.`
      : `The audit log is not as it was written, from batch ${seq} on: ${reason}.`
    return { data: verdict, text: '', note, isProblem: true }
  }
  const { batches, checkpoints, from, to } = verdict
  const days = from === undefined ? '' : `, ${from} to ${to}`
  return {
    data: verdict,
    text: `The audit log is intact: ${batches} batches, ${checkpoints} checkpoints${days}.`,
  }
}
