import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Transaction } from 'kysely'
import { tempFolder } from '../../../test/support/temp-folder.ts'
import { lockAddress, lockSection, lockUser } from './lock-order.ts'
import type { Schema } from './schema.ts'
import { openSqlite } from './sqlite/open.ts'

async function inTransaction(work: (transaction: Transaction<Schema>) => Promise<void>): Promise<void> {
  await using folder = await tempFolder()
  await using store = await openSqlite(folder.path)
  await store.db.transaction().execute(work)
}

test('a transaction that takes a lock out of order fails, also on SQLite, which needs no locks', () =>
  inTransaction(async (transaction) => {
    await lockSection(transaction, 'agent actions')
    await assert.rejects(lockSection(transaction, 'registrations'), /holds the lock 'agent actions'/)
    await assert.rejects(lockUser(transaction, 'ann'), /must not take 'user'/)
  }))

test('locks are taken in order; one that is held already may be taken again, another of its kind not', () =>
  inTransaction(async (transaction) => {
    await lockAddress(transaction, 'digest of ann')
    await lockUser(transaction, 'ann')
    await lockSection(transaction, 'registrations')
    await lockUser(transaction, 'ann')
    await assert.rejects(lockUser(transaction, 'bob'), /must not take 'user'/)
    await lockSection(transaction, 'agent actions')
  }))
