import pg from 'pg'
import { toStoreFault } from './postgres-errors.ts'

/** A statement that the server keeps prepared, by its name. */
export type Statement = { readonly name: string; readonly text: string }
export type Step = readonly [statement: Statement, values: readonly unknown[]]
export type Row = Readonly<Record<string, unknown>>

/** One connection, and nothing of it on another one: what is begun here is either finished here or undone. */
export type Session = {
  /** Sends the steps together, at the price of one round trip. Returns the rows of each. */
  send(steps: readonly Step[]): Promise<readonly (readonly Row[])[]>
  /** Ends the connection and whatever is open on it; steps that are under way fail. */
  drop(): void
}

/** A connection for work that never waits for the pool; when it is lost, the next session gets another one. */
export type PostgresLane = AsyncDisposable & { session(): Promise<Session> }

export function openPostgresLane(connection: pg.ClientConfig): PostgresLane {
  let present: Promise<pg.Client> | undefined

  function connect(): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, pipeline: true })
    const opening = client.connect().then(() => client)
    const forget = () => {
      if (present === opening) present = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    opening.catch(forget)
    present = opening
    return opening
  }

  return {
    async session() {
      try {
        const client = await (present ?? connect())
        return sessionOn(client, () => {
          present = undefined
        })
      } catch (error) {
        throw toStoreFault(error)
      }
    },
    async [Symbol.asyncDispose]() {
      const last = present
      present = undefined
      await last?.then((client) => client.end()).catch(() => {})
    },
  }
}

function sessionOn(client: pg.Client, forget: () => void): Session {
  let isDropped = false
  const run = ([{ name, text }, values]: Step) => client.query<Row>({ name, text, values: [...values] })
  return {
    async send(steps) {
      try {
        if (isDropped) throw new Error('the connection was given up')
        const results = await Promise.all(steps.map(run))
        return results.map(({ rows }) => rows)
      } catch (error) {
        throw toStoreFault(error)
      }
    },
    drop() {
      if (isDropped) return
      isDropped = true
      forget()
      // Not `end`: that waits for the answers of a server that may never give them.
      client.connection.stream.destroy()
    },
  }
}
