import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { templateDatabase } from '../services/test-postgres.ts'
import { postgresVariables, storeUnderTest, storeVariables } from '../test-store.ts'

/** The variable in which a test run tells its files of the folder that they share. */
export const RUN_FOLDER_VARIABLE = 'TEST_RUN_FOLDER'

type Start = (folder: string, variables: Readonly<Record<string, string>>) => Promise<void>

/**
 * Makes the folder and the database as a first start of the service leaves them: founding a sandbox takes longer than
 * copying one. `start` starts the service and stops it; one test file does so for all.
 */
export async function copyFirstStart(folder: string, start: Start): Promise<void> {
  if (storeUnderTest() === 'sqlite') {
    await cp(await embedded(start), folder, { recursive: true })
    return
  }
  const files = join(await runFolder(), 'first-start-on-postgres')
  const variables = storeVariables(folder, () =>
    templateDatabase('started', async (url) => {
      await mkdir(files)
      await start(files, postgresVariables(url))
    }),
  )
  await variables
  await cp(files, folder, { recursive: true })
}

let made: Promise<string> | undefined

function embedded(start: Start): Promise<string> {
  made ??= makeEmbedded(start)
  return made
}

/** The first file that has made it wins; the others throw theirs away. */
async function makeEmbedded(start: Start): Promise<string> {
  const folder = join(await runFolder(), 'first-start')
  const draft = await mkdtemp(join(await runFolder(), 'draft-'))
  await start(draft, { SQLITE_SYNCHRONOUS: 'normal' })
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return folder
}

let own: Promise<string> | undefined

/** A file that is run alone has one of its own, which goes with the process. */
function runFolder(): Promise<string> {
  const given = process.env[RUN_FOLDER_VARIABLE]
  if (given) return Promise.resolve(given)
  own ??= mkdtemp(join(tmpdir(), 'stakewright-run-')).then((path) => {
    process.once('exit', () => rmSync(path, { recursive: true, force: true }))
    return path
  })
  return own
}
