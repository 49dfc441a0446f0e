import type { Kysely } from 'kysely'
import { canonicalAddress } from '../../../basics/mailbox.ts'
import type { Schema } from '../schema.ts'

/** The limit of agents per owner counts all spellings of a mailbox. Null: the owner is the mailbox. */
export async function createMailboxes(db: Kysely<Schema>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('mailbox', 'text').execute()
  await db.schema
    .createIndex('agents_by_mailbox')
    .on('agents')
    .column('mailbox')
    .where('mailbox', 'is not', null)
    .execute()
  await fillMailboxes(db)
}

async function fillMailboxes(db: Kysely<Schema>): Promise<void> {
  const rows = await db
    .selectFrom('agents')
    .select('owner')
    .distinct()
    .where((agent) =>
      agent.or(['%+%@%', '%@gmail.com', '%@googlemail.com'].map((form) => agent('owner', 'like', form))),
    )
    .execute()
  for (const { owner } of rows) {
    const mailbox = canonicalAddress(owner)
    if (mailbox !== owner)
      await db.updateTable('agents').set({ mailbox }).where('owner', '=', owner).execute()
  }
}
