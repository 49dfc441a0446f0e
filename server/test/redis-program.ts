import { execFile } from 'node:child_process'
import { access, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Packages of the distribution, unpacked where this workspace may write. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/redis', import.meta.url))
const PACKAGES = ['redis-server', 'redis-tools']

export type RedisProgram = {
  readonly command: string
  /** Where its libraries are, when it is not installed. */
  readonly libraries: string | undefined
}

/** The installed Redis or Valkey; without one, that of Debian's package, which needs no root to be fetched. */
export async function findRedis(): Promise<RedisProgram> {
  for (const command of ['redis-server', 'valkey-server']) {
    if (await runs({ command, libraries: undefined })) return { command, libraries: undefined }
  }
  const fetched = { command: join(CACHE, 'usr/bin/redis-server'), libraries: await librariesIn(CACHE) }
  if (await runs(fetched)) return fetched
  try {
    await fetchPackages()
  } catch (cause) {
    const reason = String(cause).trim().split('\n').at(-1)
    throw new Error(`There is no Redis server here, and Debian's package could not be fetched: ${reason}`, {
      cause,
    })
  }
  return { ...fetched, libraries: await librariesIn(CACHE) }
}

async function runs({ command, libraries }: RedisProgram): Promise<boolean> {
  return execute(command, ['--version'], { env: envOf(libraries) }).then(
    () => true,
    () => false,
  )
}

export const envOf = (libraries: string | undefined): NodeJS.ProcessEnv =>
  libraries === undefined ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries }

/** The folders are named after the kind of machine. */
async function librariesIn(home: string): Promise<string | undefined> {
  const parents = [join(home, 'usr/lib'), join(home, 'lib')]
  const found = await Promise.all(
    parents.map(async (parent) => {
      const names = await readdir(parent).catch(() => [])
      return names.filter((name) => name.endsWith('-linux-gnu')).map((name) => join(parent, name))
    }),
  )
  return found.flat().join(':') || undefined
}

/** With lists of its own, because those of the machine may be empty and belong to root. */
async function fetchPackages(): Promise<void> {
  await mkdir(dirname(CACHE), { recursive: true })
  const folder = await mkdtemp(`${CACHE}-`)
  try {
    const lists = join(folder, 'lists')
    const archives = join(folder, 'archives')
    const home = join(folder, 'home')
    for (const path of [join(lists, 'partial'), join(archives, 'partial'), home]) {
      await mkdir(path, { recursive: true })
    }
    const settings = [`Dir::State::Lists=${lists}`, `Dir::Cache=${archives}`, 'APT::Sandbox::User=']
    const options = settings.flatMap((setting) => ['-o', setting])
    const apt = (program: string, ...args: readonly string[]) =>
      execute(program, [...options, ...args], { cwd: archives, timeout: 120_000 })
    await apt('apt-get', 'update')
    const { stdout } = await apt('apt-cache', 'depends', '--important', ...PACKAGES)
    const libraries = [...stdout.matchAll(/Depends: (lib\S+)/g)].map(([, name = '']) => name)
    const wanted = [...PACKAGES, ...libraries.filter((name) => name !== 'libc6')]
    await apt('apt-get', 'download', ...wanted)
    const files = (await readdir(archives)).filter((name) => name.endsWith('.deb'))
    for (const file of files) await execute('dpkg', ['-x', join(archives, file), home])
    await access(join(home, 'usr/bin/redis-server'))
    await rm(CACHE, { recursive: true, force: true })
    await rename(home, CACHE)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
