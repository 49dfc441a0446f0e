import type { ColumnDefinitionBuilder } from 'kysely'

export const required = (column: ColumnDefinitionBuilder) => column.notNull()
/** A primary key. SQLite allows null in it unless `not null` is declared. */
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
