import type { Kysely } from 'kysely'
import type { ChainTables } from './tables/chain-tables.ts'
import type { IdentityTables } from './tables/identity-tables.ts'
import type { MandateTables } from './tables/mandate-tables.ts'
import type { RequestTables } from './tables/request-tables.ts'

/** The tables as Kysely sees them. Amounts are text: the chain's bigints do not fit every column type. */
export type Schema = ChainTables &
  IdentityTables &
  RequestTables &
  MandateTables & {
    migrations: {
      name: string
    }
  }

/** The open database, or a transaction in it. */
export type Database = Kysely<Schema>
