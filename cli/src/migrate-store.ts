import { parseArgs } from 'node:util'
import { type Command, EXIT, Misuse } from './command.ts'

/** `migrate-store`: from the embedded database of a stopped service to an empty one on Postgres, all or nothing. */
export const migrateStoreCommand: Command = async (args, { print, say }) => {
  const { values } = parseArgs({
    args: [...args],
    options: { from: { type: 'string' }, to: { type: 'string' }, json: { type: 'boolean', default: false } },
  })
  if (!values.from || !values.to) {
    throw new Misuse('Say from where to where: migrate-store --from DATA_DIR --to postgres://…')
  }
  const { migrateStore } = await import('@stakewright/server/operator/migrate-store.ts')
  const copied = await migrateStore(values.from, values.to)
  if (values.json) print(JSON.stringify(copied, undefined, 2))
  else for (const [table, rows] of Object.entries(copied)) print(`${table.padEnd(20)} ${rows}`)
  say(
    `Everything is copied. Start the service with DATABASE_URL, and with KEY_PEPPER and JWT_SECRET set to what the ` +
      `files key-pepper and jwt-secret in ${values.from} contain.`,
  )
  return EXIT.done
}
