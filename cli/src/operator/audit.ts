import { readFile } from 'node:fs/promises'
import { brokenLog } from '../broken-log.ts'
import { Misuse, type Result, type Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { counted } from '../render/counted.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

/**
 * `audit verify`: verifies the whole audit log of the data folder, also while the service runs. `--since` names a file
 * with a checkpoint from the service's own log, which the audit log must still contain.
 */
export async function verifyAudit(args: readonly string[], { env }: Terminal): Promise<Result> {
  const { values } = readOptions(args, { options: { json: { type: 'boolean' }, since: { type: 'string' } } })
  const config = await readOperatorConfig(env)
  const { verifyAuditLog } = await loadService(() => import('@stakewright/server/operator/operator.ts'))
  const verdict = await verifyAuditLog(config, values.since && (await readCheckpoint(values.since)))
  if (verdict.kind === 'broken') return { data: verdict, text: '', problem: brokenLog(verdict) }
  const { batches, checkpoints, from, to } = verdict
  const days = from === undefined ? '' : `, ${from} to ${to}`
  return {
    data: verdict,
    text: `The audit log is intact: ${counted(batches, 'batch', 'batches')}, ${counted(checkpoints, 'checkpoint')}${days}${anchoring(verdict)}.`,
  }
}

type Compared = { readonly anchors: number; readonly anchoredSince: string | undefined }

/** Says what this verification could not detect. */
function anchoring({ anchors, anchoredSince }: Compared): string {
  if (anchors === 0)
    return '; no anchor was compared, so requests and management actions that were removed from its end are not noticed'
  if (anchoredSince === undefined) return ''
  return `; its anchor was missing and a new one was started at ${anchoredSince}, so what was removed before is not noticed`
}

async function readCheckpoint(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Misuse(`--since: ${error instanceof Error ? error.message : error}`)
  }
}
