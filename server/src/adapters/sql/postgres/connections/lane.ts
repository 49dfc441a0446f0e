import pg from 'pg'
import { toStoreFault } from '../errors.ts'
import type { PostgresStore } from '../open.ts'
import { openingMs } from './pool.ts'
import { makeRoundTrip, type Step } from './round-trip.ts'
import { applySettings } from './session.ts'
import { withinMs } from './within.ts'

/** One connection, and nothing of it on another one: what is begun here is either finished here or undone. */
export type Session = {
  /** Nothing was sent on it before. */
  readonly isNew: boolean
  /** Sends the steps together, at the price of one round trip. Returns what each has answered. */
  send(steps: readonly Step[]): Promise<readonly unknown[]>
  /** Ends the connection and whatever is open on it; steps that are under way fail. */
  drop(): void
}

/**
 * A connection for work that never waits for the pool; when it is lost, the next session gets another one. A session
 * that is not there in time is refused, while its connection is opened to the end for the next one.
 */
export type PostgresLane = AsyncDisposable & { session(): Promise<Session> }

type Needs = Pick<PostgresStore, 'connection' | 'hosts' | 'patience'>

export function openPostgresLane({ connection, hosts, patience }: Needs): PostgresLane {
  let present: Promise<Opened> | undefined

  async function open(client: pg.Client): Promise<Opened> {
    try {
      await client.connect()
      await applySettings(client, patience)
      return { client, prepared: new Set<string>() }
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
  }

  function connect(): Promise<Opened> {
    const connectionTimeoutMillis = openingMs(patience)
    const url = hosts.url()
    const client = new pg.Client({
      ...connection,
      connectionString: url,
      connectionTimeoutMillis,
      pipeline: true,
    })
    const forget = () => {
      if (present === opening) present = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    const opening = open(client)
    opening.catch(() => {
      hosts.isNot(url)
      forget()
    })
    present = opening
    return opening
  }

  return {
    async session() {
      try {
        const opened = await withinMs(patience.connectMs, present ?? connect())
        return sessionOn(opened, () => {
          present = undefined
        })
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

/** A connection, and the statements that it has prepared. */
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
      // Not `end`: that waits for the answers of a server that may never give them.
      client.connection.stream.destroy()
    },
  }
}
