import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execute = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/debian', import.meta.url))
const FETCH_MS = 120_000

/** How to recognise a program and where its package puts it, for those that are not like most. */
export type Look = {
  /** Makes it print its version and end. */
  readonly versionFlag: string
  /** Where it is in the unpacked package. */
  readonly folders: readonly string[]
  /** Whether the libraries of its libraries are fetched, too. */
  readonly isDeep: boolean
}
const USUAL: Look = { versionFlag: '-v', folders: ['usr/bin', 'usr/sbin'], isDeep: false }

export type Program = { readonly command: string; readonly env: NodeJS.ProcessEnv }

/**
 * A program under one of its names, if it is installed; else from Debian's packages, unpacked once where this workspace
 * may write: that needs no root. The first package names them, and its program is called like the first name.
 */
export async function findProgram(
  names: readonly [string, ...string[]],
  packages: readonly [string, ...string[]],
  look: Look = USUAL,
): Promise<Program> {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const places = names.flatMap((name) => folders.map((folder) => join(folder, name)))
  for (const command of places.filter(mayBeThere)) {
    const installed = { command, env: process.env }
    if (await runs(installed, look)) return installed
  }
  const home = join(CACHE, packages[0])
  try {
    return (await unpackedIn(home, names[0], look)) ?? (await unpack(home, names[0], packages, look))
  } catch (cause) {
    const reason = String(cause).trim().split('\n').at(-1)
    throw new Error(`There is no ${names[0]} here, and Debian's package could not be fetched: ${reason}`, {
      cause,
    })
  }
}

/** Trying to start what is not there costs a fork. Windows has endings of its own. */
const mayBeThere = (command: string): boolean => process.platform === 'win32' || existsSync(command)

const runs = ({ command, env }: Program, { versionFlag }: Look): Promise<boolean> =>
  execute(command, [versionFlag], { env }).then(
    () => true,
    () => false,
  )

async function unpackedIn(home: string, name: string, look: Look): Promise<Program | undefined> {
  const env = { ...process.env, LD_LIBRARY_PATH: (await librariesIn(home)).join(':') }
  for (const folder of look.folders) {
    const program = { command: join(home, folder, name), env }
    if (await runs(program, look)) return program
  }
  return undefined
}

/** Their folders are named after the kind of machine; what libraries share among themselves is in folders below. */
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
 * The files of these packages, unpacked once, with what `finish` does to them.
 * Without their scripts: for a root folder, not for a machine.
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

/** Appears whole or not at all: another test run may be looking for it. */
async function unpackInto(
  home: string,
  packages: readonly string[],
  look: Look,
  finish: (folder: string) => Promise<void> = async () => {},
): Promise<void> {
  await mkdir(CACHE, { recursive: true })
  const isBroken = existsSync(home)
  const draft = await mkdtemp(`${home}-`)
  try {
    const files = join(draft, 'files')
    for (const archive of await download(draft, packages, look)) await execute('dpkg', ['-x', archive, files])
    await finish(files)
    if (isBroken) await rm(home, { recursive: true, force: true })
    // Whoever was first is in use already.
    await rename(files, home).catch((error) => {
      if (!existsSync(home)) throw error
    })
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

/** With lists of packages of its own: those of the machine may be empty, and belong to root. */
async function download(
  folder: string,
  packages: readonly string[],
  { isDeep }: Look,
): Promise<readonly string[]> {
  const lists = join(folder, 'lists')
  const archives = join(folder, 'archives')
  for (const path of [lists, archives]) await mkdir(join(path, 'partial'), { recursive: true })
  const settings = [`Dir::State::Lists=${lists}`, `Dir::Cache=${archives}`, 'APT::Sandbox::User=']
  const options = settings.flatMap((setting) => ['-o', setting])
  const apt = (program: string, ...args: readonly string[]) =>
    execute(program, [...options, ...args], { cwd: archives, timeout: FETCH_MS })
  await apt('apt-get', 'update')
  const { stdout } = await apt(
    'apt-cache',
    'depends',
    '--important',
    ...(isDeep ? ['--recurse'] : []),
    ...packages,
  )
  const libraries = [...stdout.matchAll(/Depends: (lib[^\s<]+)/g)].map(([, found = '']) => found)
  // The C library is the one thing that every machine has, and that must be its own.
  const wanted = new Set([...packages, ...libraries.filter((library) => library !== 'libc6')])
  await apt('apt-get', 'download', ...wanted)
  const names = await readdir(archives)
  return names.filter((name) => name.endsWith('.deb')).map((name) => join(archives, name))
}
