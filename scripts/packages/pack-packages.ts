import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildPackage } from './build-package.ts'
import { PUBLISHED } from './package-list.ts'

const run = promisify(execFile)
/** Inside the workspace, so that the compiler finds the packages that declarations refer to. */
const STAGES = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')

/** Builds every published package and packs it into the folder; resolves with the paths of the tarballs. */
export async function packPackages(destination: string): Promise<readonly string[]> {
  await mkdir(STAGES, { recursive: true })
  const stage = await mkdtemp(join(STAGES, 'packing-'))
  try {
    await mkdir(destination, { recursive: true })
    const tarballs: string[] = []
    for (const entry of PUBLISHED) {
      const folder = await buildPackage(entry, stage)
      const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', destination], {
        cwd: folder,
        shell: process.platform === 'win32',
      })
      tarballs.push(join(destination, readFileName(stdout)))
    }
    return tarballs
  } finally {
    await rm(stage, { recursive: true })
  }
}

function readFileName(json: string): string {
  const [packed] = JSON.parse(json)
  return packed.filename
}
