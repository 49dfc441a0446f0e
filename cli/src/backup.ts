import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Command, EXIT, Misuse } from './command.ts'
import { readOperatorConfig } from './operator-config.ts'

/** `backup`: a copy of the data folder, also while the service runs. Restoring is starting the service on the copy. */
export const backupCommand: Command = async (args, { print, say }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { to: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  if (!values.to) throw new Misuse('Say where to: backup --to FOLDER')
  const config = readOperatorConfig()
  const { backUpStore } = await import('@stakewright/server/operator/back-up-store.ts')
  const to = resolve(values.to)
  const verdict = await backUpStore(config, to)
  if (values.json) print(JSON.stringify(verdict, undefined, 2))
  if (verdict.kind === 'broken') {
    say(`The copy is in ${to}, but its audit log is not as it was written, from batch ${verdict.seq} on.`)
    return EXIT.failed
  }
  if (!values.json) print(`Everything is in ${to}; the audit log is intact: ${verdict.batches} batches.`)
  return EXIT.done
}
