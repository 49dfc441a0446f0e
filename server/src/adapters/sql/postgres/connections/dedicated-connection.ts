import pg from 'pg'
import { toStoreFault } from '../errors.ts'
import type { PostgresStore } from '../open.ts'
import { openingMs } from './pool.ts'
import { makeRoundTrip, type Step } from './round-trip.ts'
import { applySettings } from './session.ts'
import { withinMs } from './within.ts'

/** Exclusive use of one connection: a transaction begun here is finished here or rolled back. */
export type Session = {
  /** Nothing was sent on this connection before. */
  readonly isNew: boolean
  /** Sends all steps in one round trip. Returns the answer to each. */
  send(steps: readonly Step[]): Promise<readonly unknown[]>
  /** Closes the connection, which rolls back its transaction; pending steps fail. */
  drop(): void
}

/**
 * A dedicated connection outside the pool, reopened when lost. A session whose connection is not open in time
 * is refused; opening continues in the background for the next session.
 */
export type DedicatedConnection = AsyncDisposable & { session(): Promise<Session> }

type Needs = Pick<PostgresStore, 'connection' | 'hosts' | 'timeouts'>

export function openDedicatedConnection({ connection, hosts, timeouts }: Needs): DedicatedConnection {
  let present: Promise<Opened> | undefined

  /** Sessions may share a connection. When the last of them drops it, it may have been replaced already. */
  const forget = (lost: Promise<Opened>): void => {
    if (present === lost) present = undefined
  }

  async function open(client: pg.Client): Promise<Opened> {
    try {
      await client.connect()
      await applySettings(client, timeouts)
      return { client, prepared: new Set<string>() }
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
  }

  function connect(): Promise<Opened> {
    const connectionTimeoutMillis = openingMs(timeouts)
    const url = hosts.url()
    const client = new pg.Client({
      ...connection,
      connectionString: url,
      connectionTimeoutMillis,
      pipeline: true,
    })
    client.on('error', () => forget(opening))
    client.on('end', () => forget(opening))
    const opening = open(client)
    opening.catch(() => {
      hosts.markFailed(url)
      forget(opening)
    })
    present = opening
    return opening
  }

  return {
    async session() {
      try {
        const opening = present ?? connect()
        const opened = await withinMs(timeouts.connectMs, opening)
        return sessionOn(opened, () => forget(opening))
      } catch (error) {
        throw toStoreFault(error)
      }
    },
    async [Symbol.asyncDispose]() {
      const last = present
      present = undefined
      await last?.then(({ client }) => client.end()).catch(() => {})
    },
  }
}

/** A connection and the names of its prepared statements. */
type Opened = { readonly client: pg.Client; readonly prepared: Set<string> }

function sessionOn({ client, prepared }: Opened, forget: () => void): Session {
  let isDropped = false
  return {
    isNew: prepared.size === 0,
    async send(steps) {
      try {
        if (isDropped) throw new Error('the connection was given up')
        return await makeRoundTrip(client, prepared, steps)
      } catch (error) {
        throw toStoreFault(error)
      }
    },
    drop() {
      if (isDropped) return
      isDropped = true
      forget()
      // Not `end`, which would wait for answers that may never come.
      client.connection.stream.destroy()
    },
  }
}
