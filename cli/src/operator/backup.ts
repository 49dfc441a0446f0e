import { resolve } from 'node:path'
import { brokenLog } from '../broken-log.ts'
import { Misuse, type Result, type Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { counted } from '../render/counted.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

/** `backup`: a copy of the data folder, also while the service runs. Restoring is starting the service on the copy. */
export async function backUp(args: readonly string[], { env }: Terminal): Promise<Result> {
  const { values } = readOptions(args, { options: { to: { type: 'string' }, json: { type: 'boolean' } } })
  if (!values.to) throw new Misuse('Give the destination: backup --to FOLDER')
  const config = await readOperatorConfig(env)
  const { backUpStore } = await loadService(() => import('@stakewright/server/operator/back-up-store.ts'))
  const to = resolve(values.to)
  const verdict = await backUpStore(config, to)
  if (verdict.kind === 'broken') return { data: verdict, text: '', problem: brokenLog(verdict, to) }
  return {
    data: verdict,
    text: `Everything is in ${to}; the audit log is intact: ${counted(verdict.batches, 'batch', 'batches')}.`,
  }
}
