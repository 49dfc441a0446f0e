import { sqlAgents } from '#adapters/sql/agents.ts'
import { openSqlite } from '#adapters/sql/sqlite.ts'
import { openSecrets } from '#adapters/system/system-secrets.ts'
import { keyWorks, mailsIn } from '../agents/store-content.ts'
import { tempFolder } from '../temp-folder.ts'
import { agentsSuite } from './agents.ts'

async function openEmpty() {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  const { db } = opened.use(await openSqlite(folder.path, { synchronous: 'normal' }))
  const secrets = openSecrets({ keyPrefix: 'stk', pepper: 'a pepper' })
  const resources = opened.move()
  return {
    agents: sqlAgents({ db, secrets }),
    keyWorks: (digest: string, now: number) => keyWorks(db, digest, now),
    recipients: async () => (await mailsIn(db, secrets)).map((mail) => mail.to),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

agentsSuite('SQLite', openEmpty)
