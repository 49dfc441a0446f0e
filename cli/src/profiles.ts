import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Refusal, type Terminal } from './command.ts'
import { didYouMean } from './did-you-mean.ts'
import { codeOf, underLock } from './file-lock.ts'

/** A saved service: its address and credentials. */
export type Profile = { readonly url?: string; readonly apiKey?: string; readonly token?: string }

export type Profiles = Readonly<Record<string, Profile>>

export const DEFAULT_PROFILE = 'default'

type Environment = Terminal['env']

/** The default address of a service on this machine. */
export const localUrl = (env: Environment): string => `http://127.0.0.1:${env['PORT'] ?? 3000}`

export function profilesFile(env: Environment): string {
  const folder = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? join(homedir(), '.config')
  return env['STAKEWRIGHT_PROFILES'] ?? join(folder, 'stakewright', 'profiles.json')
}

/** The file holds keys, so it is refused if others can read it. A missing file means no profiles. */
export function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env)
  const text = readIfThere(file, env)
  return text === undefined ? {} : parseProfiles(text, file)
}

/** The file cannot be read or written, for example in a folder of another user. Calls that need no profile ignore it. */
export class UnusablePath extends Refusal {}

function readIfThere(file: string, env: Environment): string | undefined {
  try {
    return readOwn(file, env)
  } catch (error) {
    if (error instanceof Refusal) throw error
    // A parent of the path is a file, so the file does not exist.
    if (codeOf(error) === 'ENOTDIR') return undefined
    throw unusable(file, 'read', error)
  }
}

function readOwn(file: string, env: Environment): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  // Windows has no such file modes.
  if ((stats.mode & 0o077) !== 0 && !env['APPDATA']) {
    throw new Refusal('unauthorized', `Others can read ${file}, which holds keys.`, `Run: chmod 600 ${file}`)
  }
  return readFileSync(file, 'utf8')
}

/** Throws unless the profiles file can be written, before a call returns a secret to save. */
export function requireWritableProfiles(env: Environment): void {
  const file = profilesFile(env)
  try {
    makeFolder(dirname(file))
    accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw unusable(file, 'written', error)
  }
}

/** Creates parents one by one: Node's `recursive` never returns on file systems such as /proc, which answer ENOENT. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(folder) !== folder) makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (codeOf(error) !== 'EEXIST' || !statSync(folder).isDirectory()) throw error
  }
}

const unusable = (file: string, how: 'read' | 'written', error: unknown): UnusablePath =>
  new UnusablePath(
    'profiles_unusable',
    `The profiles in ${file} cannot be ${how} (${codeOf(error) ?? error}).`,
    'Set STAKEWRIGHT_PROFILES to a file in a folder of your own, or HOME to your home folder.',
  )

/** Lists the existing profiles, for the refusal of an unknown name. */
export const whichProfiles = (known: readonly string[], name: string): string =>
  `There are: ${known.join(', ')}.${didYouMean(name, known)}`

/** Whether a change deletes a saved key. Tokens expire anyway and do not count. */
export function losesKey(env: Environment, name: string, change: Profile): boolean {
  const before = readProfiles(env)[name]
  if (before?.apiKey === undefined) return false
  return changesAddress(env, before, change) || (change.apiKey ?? before.apiKey) !== before.apiKey
}

/** Whether the change sets another address, which invalidates the saved secrets. */
const changesAddress = (env: Environment, { url = localUrl(env) }: Profile, change: Profile): boolean =>
  change.url !== undefined && !isSameUrl(change.url, url)

/** Compares normalised URLs: `http://host` equals `http://HOST/`. */
export const isSameUrl = (one: string, other: string): boolean =>
  URL.parse(one)?.href === URL.parse(other)?.href

/** Changes one profile: a new address drops its secrets, undefined removes it. The file is replaced atomically. */
export function changeProfile(env: Environment, name: string, change: Profile | undefined): void {
  const file = profilesFile(env)
  requireWritableProfiles(env)
  underLock(file, () => {
    const { [name]: saved = {}, ...others } = readProfiles(env)
    const before = change && changesAddress(env, saved, change) ? {} : saved
    const profiles = change ? { ...others, [name]: { ...before, ...change } } : others
    const fresh = `${file}.new`
    writeFileSync(fresh, `${JSON.stringify(profiles, undefined, 2)}\n`, { mode: 0o600 })
    chmodSync(fresh, 0o600)
    renameSync(fresh, file)
  })
}

function parseProfiles(text: string, file: string): Profiles {
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // Refused below, like any other content.
  }
  throw new Refusal('usage', `${file} is not a JSON object of profiles.`, `Repair or remove ${file}.`)
}
