import { openSqlite } from '#adapters/sql/sqlite/open.ts'
import { sqlAgents } from '#adapters/sql/stores/agents.ts'
import { dropExpired } from '#adapters/sql/stores/drop-expired.ts'
import { sqlKeptBuilds } from '#adapters/sql/stores/policy/kept-builds.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { agentQueues } from '#wiring/agent-queues.ts'
import { queuedMails } from '../agents/queued-mails.ts'
import { openKeyCheck } from '../agents/usable-keys.ts'
import { silentLogger } from '../support/silent-logger.ts'
import { tempFolder } from '../support/temp-folder.ts'
import { agentsSuite } from './suites/agents.ts'
import { keptBuildsSuite } from './suites/kept-builds.ts'

async function openEmpty() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const store = opened.use(await openSqlite(folder.path, { synchronous: 'normal' }))
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'a pepper' })
  const keys = opened.use(await openKeyCheck(store, secrets))
  const resources = opened.move()
  return {
    agents: sqlAgents({ db: store.db, secrets }),
    kept: sqlKeptBuilds({ db: store.db, queueByAgent: agentQueues(), secrets, logger: silentLogger }),
    agentNo: async (id: string) =>
      (await store.db.selectFrom('agents').select('no').where('id', '=', id).executeTakeFirstOrThrow()).no,
    dropExpired: (before: number) => dropExpired(store.db, before),
    keyWorks: keys.works,
    recipients: async () => (await queuedMails(store.db, secrets)).map((mail) => mail.to),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

agentsSuite('SQLite', openEmpty)
keptBuildsSuite('SQLite', openEmpty)
