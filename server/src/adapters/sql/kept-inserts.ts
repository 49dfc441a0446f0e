import type { InsertQueryNode, KyselyPlugin, RootOperationNode } from 'kysely'
import { notPersisted } from './stores/keys/assert-persisted.ts'

/**
 * Throws if an insert has added fewer rows than it was given: a foreign trigger or rule has dropped them. Inserts that
 * may skip rows by themselves are not checked.
 */
export function refuseDroppedInserts(): KyselyPlugin {
  const given = new WeakMap<
    object,
    { readonly table: string; readonly rows: number; readonly isRead: boolean }
  >()
  return {
    transformQuery({ node, queryId }) {
      if (isWholeInsert(node))
        given.set(queryId, { table: tableOf(node), rows: rowsIn(node), isRead: node.returning !== undefined })
      return node
    },
    async transformResult({ result, queryId }) {
      const insert = given.get(queryId)
      const added = insert?.isRead ? result.rows.length : Number(result.numAffectedRows)
      if (insert && added < insert.rows) throw notPersisted(insert.table)
      return result
    },
  }
}

const isWholeInsert = (node: RootOperationNode): node is InsertQueryNode =>
  node.kind === 'InsertQueryNode' &&
  !node.onConflict?.doNothing &&
  node.onConflict?.updateWhere === undefined &&
  rowsIn(node) > 0

/** 0 for an insert from a query. */
const rowsIn = ({ values }: InsertQueryNode): number =>
  values?.kind === 'ValuesNode' && 'values' in values && Array.isArray(values.values)
    ? values.values.length
    : 0

const tableOf = ({ into }: InsertQueryNode): string => into?.table.identifier.name ?? 'a table'
