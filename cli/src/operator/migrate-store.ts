import { Misuse, type Result, type Terminal } from '../command.ts'
import { readOptions } from '../read-options.ts'
import { readOperatorConfig } from './operator-config.ts'
import { loadService } from './service-code.ts'

/** In a URL: `user:password@`, or `?password=`. */
const PASSWORD = /:\/\/[^/?#]*:[^/?#]*@|[?&][^=&]*pass[^=&]*=/i

/** `migrate-store`: from the embedded database of a stopped service to an empty one on Postgres, all or nothing. */
export async function migrate(args: readonly string[], { env }: Terminal): Promise<Result> {
  const { values } = readOptions(args, {
    options: { from: { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean' } },
  })
  if (values.to !== undefined && PASSWORD.test(values.to)) {
    throw new Misuse(
      'Passwords are never arguments, which others on this machine can read: set DATABASE_URL, and leave out --to.',
    )
  }
  const to = values.to ?? env['DATABASE_URL']
  if (!values.from || !to) {
    throw new Misuse(
      'Give the source as --from DATA_DIR, and the destination in the environment variable DATABASE_URL.',
    )
  }
  const { hostList } = await loadService(() => import('@stakewright/server/config/host-list.ts'))
  const { read, expected } = hostList('postgres', 'postgresql')
  const urls = read(to)
  if (!urls) throw new Misuse(`${values.to === undefined ? 'DATABASE_URL' : '--to'} must be ${expected}.`)
  const { migrateStore } = await loadService(() => import('@stakewright/server/operator/migrate-store.ts'))
  // A service with DATABASE_URL needs more variables than this command.
  const { keys } = await readOperatorConfig({ KEY_PEPPER: env['KEY_PEPPER'] })
  const copied = await migrateStore(values.from, urls, keys.pepper)
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
