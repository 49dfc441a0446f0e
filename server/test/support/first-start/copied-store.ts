import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { templateDatabase } from '../services/test-postgres.ts'
import { postgresVariables, storeUnderTest, storeVariables } from '../test-store.ts'

/** The environment variable with the folder that all test files of a run share. */
export const RUN_FOLDER_VARIABLE = 'TEST_RUN_FOLDER'

type Start = (folder: string, variables: Readonly<Record<string, string>>) => Promise<void>

/**
 * Makes the folder and the database as a first start of the service leaves them: founding a sandbox takes longer than
 * copying one. `start` starts the service and stops it, once for all test files of a run.
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

/** The test file that is ready first wins; the others delete their drafts. */
async function makeEmbedded(start: Start): Promise<string> {
  const folder = join(await runFolder(), 'first-start')
  const draft = await mkdtemp(join(await runFolder(), 'draft-'))
  await start(draft, { SQLITE_SYNCHRONOUS: 'normal' })
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }))
  return folder
}

let own: Promise<string> | undefined

/** A test file that is run alone makes its own folder, which is deleted when the process exits. */
function runFolder(): Promise<string> {
  const given = process.env[RUN_FOLDER_VARIABLE]
  if (given) return Promise.resolve(given)
  own ??= mkdtemp(join(tmpdir(), 'stakewright-run-')).then((path) => {
    process.once('exit', () => rmSync(path, { recursive: true, force: true }))
    return path
  })
  return own
}
