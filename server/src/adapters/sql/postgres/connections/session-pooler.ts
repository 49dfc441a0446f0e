import pg from 'pg'
import { Fault } from '../../../../fault.ts'

/** Several, because a pooler shared with other clients may assign different server processes by chance. */
const COMPARISONS = 3

/**
 * Prepared statements and settings belong to a server connection, so a pooler must not reassign it between
 * transactions. A pooler in transaction mode reveals itself by serving two open connections with the same
 * server process.
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig): Promise<void> {
  const [one, other] = [new pg.Client(connection), new pg.Client(connection)]
  for (const client of [one, other]) client.on('error', () => {})
  try {
    await Promise.all([one.connect(), other.connect()])
    for (let compared = 0; compared < COMPARISONS; compared += 1) {
      if ((await processOf(one)) !== (await processOf(other))) continue
      throw new Fault(
        'store_not_ready',
        'The pooler in front of Postgres shares a connection among clients between transactions. ' +
          'Use its session mode (pgbouncer: pool_mode = session), or connect directly.',
      )
    }
  } finally {
    await Promise.all([one, other].map((client) => client.end().catch(() => {})))
  }
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return Number(rows[0]?.pid)
}
