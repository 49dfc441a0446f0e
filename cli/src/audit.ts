import { parseArgs } from 'node:util'
import { type Command, EXIT, Misuse } from './command.ts'
import { readOperatorConfig } from './operator-config.ts'

/** `audit verify`: reads the whole audit log of the data folder, also while the service runs, and says if it is whole. */
export const auditCommand: Command = async ([name = '', ...args], { print, say }) => {
  if (name !== 'verify') throw new Misuse('Say what to do with the audit log: audit verify')
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const config = readOperatorConfig()
  const { verifyAuditLog } = await import('@stakewright/server/operator/operator.ts')
  const verdict = await verifyAuditLog(config)
  if (values.json) print(JSON.stringify(verdict, undefined, 2))
  if (verdict.kind === 'broken') {
    say(`The audit log is not as it was written, from batch ${verdict.seq} on: ${verdict.reason}.`)
    return EXIT.failed
  }
  const { batches, checkpoints, from, to } = verdict
  const days = from === undefined ? '' : `, ${from} to ${to}`
  if (!values.json) print(`The audit log is intact: ${batches} batches, ${checkpoints} checkpoints${days}.`)
  return EXIT.done
}
