import pg from 'pg'
import { Fault } from '../../../../fault.ts'

/** A pooler that is used by others may happen to give different ones. */
const LOOKS = 3

/**
 * Statements stay prepared, and settings hold, on a connection: a pooler must not give it away between transactions.
 * One that does shows itself by serving two open connections with the same process of the server.
 */
export async function refuseTransactionPooler(connection: pg.ClientConfig): Promise<void> {
  const [one, other] = [new pg.Client(connection), new pg.Client(connection)]
  for (const client of [one, other]) client.on('error', () => {})
  try {
    await Promise.all([one.connect(), other.connect()])
    for (let look = 0; look < LOOKS; look += 1) {
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
