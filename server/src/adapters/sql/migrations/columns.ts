import type { ColumnDefinitionBuilder } from 'kysely'

export const required = (column: ColumnDefinitionBuilder) => column.notNull()
/** The primary key; SQLite allows null in one unless it is said. */
export const key = (column: ColumnDefinitionBuilder) => column.primaryKey().notNull()
