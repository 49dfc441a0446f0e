import { Misuse, type Result } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

/** `migrate-store`: from the embedded database of a stopped service to an empty one on Postgres, all or nothing. */
export async function migrate(args: readonly string[]): Promise<Result> {
  const { values } = readOptions(args, {
    options: { from: { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean' } },
  })
  if (!values.from || !values.to) {
    throw new Misuse('Say from where to where: migrate-store --from DATA_DIR --to postgres://…')
  }
  if (!/^postgres(ql)?:\/\//.test(values.to) || !URL.canParse(values.to)) {
    throw new Misuse('--to must be the address of a Postgres database: postgres://user:password@host/name')
  }
  const { migrateStore } = await loadService(() => import('@stakewright/server/operator/migrate-store.ts'))
  const { keys } = await readOperatorConfig()
  const copied = await migrateStore(values.from, values.to, keys.pepper)
  return {
    data: copied,
    text: Object.entries(copied)
      .map(([name, rows]) => `${name.padEnd(20)} ${rows}`)
      .join('\n'),
    note:
      `Everything is copied. Start the service with DATABASE_URL, and with the KEY_PEPPER and JWT_SECRET it had: those ` +
      `that were not set are in the files key-pepper and jwt-secret in ${values.from}.`,
  }
}
