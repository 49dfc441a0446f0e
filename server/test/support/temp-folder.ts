import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that lives as long as the test. */
export async function tempFolder(parent = tmpdir()): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(parent, 'stakewright-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}
