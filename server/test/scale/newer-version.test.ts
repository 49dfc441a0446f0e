import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registerAgent } from '../support/registered-agent.ts'
import { newestMail, tokenOf } from '../support/services/mail-files.ts'
import { openTestApp } from '../support/test-app.ts'
import { askStore, changeStore, STORE_VARIABLE } from '../support/test-store.ts'

process.env[STORE_VARIABLE] = 'postgres'

const TABLES = `select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`

/** Migrates the store as a later version may: only by adding. */
async function migrateFurther(folder: string): Promise<void> {
  for (const { name } of await askStore(folder, TABLES)) {
    await changeStore(folder, `alter table ${name} add column added_later text`)
  }
  await changeStore(folder, 'create table made_later (id integer primary key, agent_no integer not null)')
  await changeStore(folder, "insert into migrations (name) values ('9999-later')")
}

test('this version keeps running, and starts, on a store that a later version has migrated', async () => {
  await using app = await openTestApp()
  const first = await registerAgent(app, { email: 'ann@example.com' })
  await migrateFurther(app.folder)
  for (const job of ['watch-network', 'sign-audit', 'drop-old-records']) await app.runJob(job)
  await app.client({ apiKey: first.apiKey }).metadata()
  await using another = await openTestApp({ folder: app.folder, clock: app.clock })
  const second = await registerAgent(another, { email: 'bob@example.com', isVerified: false })
  // Both, because either may have queued the mail.
  for (const each of [app, another]) await each.runJob('deliver-mail')
  await another.client().verifyEmail({ token: tokenOf(await newestMail(app.folder, 'bob@example.com')) })
  for (const { apiKey } of [first, second]) {
    for (const each of [app, another]) {
      const { used } = await each.client({ apiKey }).usage()
      assert(used.rpd > 0)
    }
  }
})
