import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { HOUR_MS } from '../../../src/durations.ts'

const execute = promisify(execFile)
/** In the user's cache: it survives an installation of the packages, and all clones share it. */
const CACHE = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'stakewright', 'debian')
const FETCH_MS = 120_000

/** How to check that a program runs, and where its package puts it. */
export type Look = {
  /** Makes the program print its version and exit. */
  readonly versionFlag: string
  /** The folders of the unpacked package that may contain the program. */
  readonly folders: readonly string[]
  /** Whether indirect dependencies are downloaded, too. */
  readonly isDeep: boolean
}
const USUAL: Look = { versionFlag: '-v', folders: ['usr/bin', 'usr/sbin'], isDeep: false }

export type Program = { readonly command: string; readonly env: NodeJS.ProcessEnv }

/**
 * An installed program with one of these names; otherwise the one from Debian's packages, unpacked once into the cache
 * of this workspace, which needs no root. The first package names the folder, the first name is that of the program.
 */
export async function findProgram(
  names: readonly [string, ...string[]],
  packages: readonly [string, ...string[]],
  look: Look = USUAL,
): Promise<Program> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  for (const command of places.filter(mayExist)) {
    const installed = { command, env: process.env }
    if (await canRun(installed, look)) return installed
  }
  const home = join(CACHE, packages[0])
  const wasThere = existsSync(home)
  try {
    const unpacked = await unpackedIn(home, names[0], look)
    if (unpacked) return unpacked
    // A broken folder goes now: after the download, another test run may have put a working one in its place.
    if (wasThere) await rm(home, { recursive: true, force: true })
    return await unpack(home, names[0], packages, look)
  } catch (cause) {
    const reason = String(cause).trim().split('\n').at(-1)
    throw new Error(`There is no ${names[0]} here, and Debian's package could not be fetched: ${reason}`, {
      cause,
    })
  }
}

/** Saves a fork for each missing file. On Windows programs have extensions, so that any may exist. */
const mayExist = (command: string): boolean => process.platform === 'win32' || existsSync(command)

const canRun = ({ command, env }: Program, { versionFlag }: Look): Promise<boolean> =>
  execute(command, [versionFlag], { env }).then(
    () => true,
    () => false,
  )

async function unpackedIn(home: string, name: string, look: Look): Promise<Program | undefined> {
  const env = { ...process.env, LD_LIBRARY_PATH: (await librariesIn(home)).join(':') }
  for (const folder of look.folders) {
    const program = { command: join(home, folder, name), env }
    if (await canRun(program, look)) return program
  }
  return undefined
}

/** The folders of libraries: those named after the machine type, and folders below these that hold libraries, too. */
async function librariesIn(home: string): Promise<readonly string[]> {
  const parents = [join(home, 'usr/lib'), join(home, 'lib')]
  const found = (await Promise.all(parents.map(foldersIn))).flat()
  const own = found.filter((folder) => folder.endsWith('-linux-gnu'))
  const below = (await Promise.all(own.map(foldersIn))).flat()
  const hasLibraries = await Promise.all(below.map(async (folder) => (await namesIn(folder)).some(isLibrary)))
  return [...own, ...below.filter((_, index) => hasLibraries[index])]
}

const isLibrary = (name: string): boolean => /^lib.*\.so/.test(name)
const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => [])

async function foldersIn(parent: string): Promise<readonly string[]> {
  const entries = await readdir(parent, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(parent, name))
}

async function unpack(home: string, name: string, packages: readonly string[], look: Look): Promise<Program> {
  await unpackInto(home, packages, look)
  const program = await unpackedIn(home, name, look)
  if (!program) throw new Error(`${name} of ${packages.join(', ')} does not run here`)
  return program
}

/**
 * A folder with the files of these packages, unpacked once and completed by `finish`.
 * The scripts of the packages do not run: the folder is a root folder, not a system that boots.
 */
export async function unpackedPackages(
  name: string,
  packages: readonly string[],
  finish: (folder: string) => Promise<void>,
): Promise<string> {
  const home = join(CACHE, name)
  if (!existsSync(home)) await unpackInto(home, packages, { ...USUAL, isDeep: true }, finish)
  return home
}

/** Unpacks into a draft and renames it, so that another test run never sees an incomplete folder. */
async function unpackInto(
  home: string,
  packages: readonly string[],
  look: Look,
  finish: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const draft = await mkdtemp(`${home}-`)
  try {
    const files = join(draft, 'files')
    for (const archive of await download(draft, packages, look)) await execute('dpkg', ['-x', archive, files])
    await finish(files)
    // Another test run has installed it meanwhile and may be using it.
    await rename(files, home).catch((error) => {
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** Downloads with separate package lists: those of the system may be empty, and belong to root. */
async function download(
  folder: string,
  packages: readonly string[],
  { isDeep }: Look,
): Promise<readonly string[]> {
  const options = aptOptions(await packageLists(), folder)
  const apt = (program: string, ...args: readonly string[]) =>
    execute(program, [...options, ...args], { cwd: folder, timeout: FETCH_MS })
  const { stdout } = await apt(
    'apt-cache',
    'depends',
    '--important',
    ...(isDeep ? ['--recurse'] : []),
    ...packages,
  )
  const libraries = [...stdout.matchAll(/Depends: (lib[^\s<]+)/g)].map(([, found = '']) => found)
  // Every system has a C library, and programs must use that one.
  const wanted = new Set([...packages, ...libraries.filter((library) => library !== 'libc6')])
  await apt('apt-get', 'download', ...wanted)
  return (await readdir(folder)).filter((name) => name.endsWith('.deb')).map((name) => join(folder, name))
}

/**
 * Debian's package lists and the index that apt makes of them, which take seconds each time. Fetched once an hour, into
 * a draft that is renamed: other test runs read them as well.
 */
async function packageLists(): Promise<string> {
  const hour = Math.floor(Date.now() / HOUR_MS)
  const home = join(CACHE, `lists-${hour}`)
  if (existsSync(home)) return home
  for (const name of await readdir(CACHE))
    if (/^lists-\d+$/.test(name) && name < `lists-${hour - 1}`)
      await rm(join(CACHE, name), { recursive: true, force: true })
  const draft = await mkdtemp(`${home}-`)
  try {
    await mkdir(join(draft, 'partial'))
    const options = aptOptions(draft, draft)
    await execute('apt-get', [...options, 'update'], { timeout: FETCH_MS })
    await execute('apt-cache', [...options, 'gencaches'], { timeout: FETCH_MS })
    await rename(draft, home).catch((error) => {
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
  return home
}

const aptOptions = (lists: string, archives: string): readonly string[] =>
  [
    `Dir::State::Lists=${lists}`,
    `Dir::Cache::archives=${archives}`,
    `Dir::Cache::pkgcache=${join(lists, 'pkgcache.bin')}`,
    `Dir::Cache::srcpkgcache=${join(lists, 'srcpkgcache.bin')}`,
    'APT::Sandbox::User=',
  ].flatMap((setting) => ['-o', setting])
