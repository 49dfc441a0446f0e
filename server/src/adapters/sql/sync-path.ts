import { open } from 'node:fs/promises'
import { platform } from 'node:os'

/** Syncs a file, or a folder with the names in it. Skipped on Windows, which cannot open folders. */
export async function syncPath(path: string): Promise<void> {
  if (platform() === 'win32') return
  await using handle = await open(path, 'r')
  await handle.sync()
}
